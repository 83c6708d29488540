// what it asks: Does if constexpr on traits select the branch of the type?
#include <string>
#include <type_traits>

void observe(long long value);

template <class T>
static int describe(T x) {
    if constexpr (std::is_pointer_v<T>) {
        return 1000 + describe(*x);
    } else if constexpr (std::is_floating_point_v<T>) {
        return 200 + static_cast<int>(x * 10);
    } else if constexpr (std::is_integral_v<T> && std::is_signed_v<T>) {
        return 30 + static_cast<int>(x);
    } else if constexpr (std::is_class_v<T>) {
        return 4;
    } else {
        return -5;
    }
}
int main() {
    double d = 1.5;
    observe(describe(7));
    observe(describe(&d));
    observe(describe(7u));
    observe(describe(std::string("7")));
    observe(describe(static_cast<signed char>(-1)));
}
