// what it asks: Does if constexpr drop the branch that would not compile for the type?
#include <string>
#include <type_traits>

void observe(long long value);

template <class T> int measure(const T& v) {
    if constexpr (std::is_pointer<T>::value) {
        return measure(*v) + 1000;
    } else if constexpr (std::is_integral<T>::value) {
        return static_cast<int>(v);
    } else if constexpr (std::is_floating_point<T>::value) {
        return static_cast<int>(v * 100);
    } else {
        return static_cast<int>(v.size()) * 7;
    }
}

int main() {
    int n = 12;
    const int* p = &n;
    observe(measure(n));
    observe(measure(1.25f));
    observe(measure(std::string("warp")));
    observe(measure(p));
    observe(measure(&p));
}
