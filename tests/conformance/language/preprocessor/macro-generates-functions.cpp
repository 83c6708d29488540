// what it asks: Do macros generate a family of typed functions and structs that differ as their arguments do?
void observe(long long value);

#define DEFINE_SUM(T, name)                 \
    struct Box_##name {                     \
        T items[3];                         \
    };                                      \
    static T sum_##name(const Box_##name& b) { \
        T s{};                              \
        for (T v : b.items) {               \
            s = static_cast<T>(s + v);      \
        }                                   \
        return s;                           \
    }
DEFINE_SUM(int, int)
DEFINE_SUM(unsigned char, byte)
DEFINE_SUM(double, real)

int main() {
    observe(sum_int({{100, 100, 100}}));
    observe(sum_byte({{100, 100, 100}}));
    observe(static_cast<int>(sum_real({{0.5, 0.25, 1.0}}) * 100));
    observe(sizeof(Box_byte) * 10 + sizeof(Box_int));
}
