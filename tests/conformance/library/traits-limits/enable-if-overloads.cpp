// what it asks: Does enable_if leave only the overload whose condition holds?
#include <type_traits>

void observe(long long value);

struct Half {
    float f;
};
template <class T, std::enable_if_t<std::is_arithmetic<T>::value, int> = 0>
static int width(T) { return static_cast<int>(sizeof(T)) * 8; }
template <class T, std::enable_if_t<!std::is_arithmetic<T>::value, int> = 0>
static int width(const T&) { return 16; }
template <class T, class = void>
struct has_size : std::false_type {};
template <class T>
struct has_size<T, std::void_t<decltype(T::size)>> : std::true_type {};
struct Sized {
    static constexpr int size = 77;
};
int main() {
    observe(width(1.0));
    observe(width(Half{2.0f}));
    observe(width('c'));
    observe((has_size<Sized>::value ? 3 : 4) * 10 + (has_size<Half>::value ? 3 : 4));
}
