// what it asks: Does a constexpr constructor fill a lookup table that later code indexes?
void observe(long long value);

struct Squares {
    int v[16];
    constexpr Squares() : v() {
        for (int i = 0; i < 16; ++i) {
            v[i] = i * i - (i > 0 ? v[i - 1] : 0);
        }
    }
    constexpr int operator[](int i) const { return v[i]; }
};
constexpr Squares table;
static_assert(table[3] == 6, "alternating sum");

int main() {
    observe(table[2]);
    observe(table[15]);
    int sum = 0;
    for (int i = 0; i < 16; ++i) {
        sum += table[i];
    }
    observe(sum);
    Squares copy = table;
    copy.v[4] = 1000;
    observe(copy[4] + table[4]);
}
