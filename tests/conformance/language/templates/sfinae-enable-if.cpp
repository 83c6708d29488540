// what it asks: Does substitution failure remove an overload so that the other one is called?
#include <type_traits>

void observe(long long value);

template <class T, std::enable_if_t<std::is_integral<T>::value, int> = 0> int half(T v) { return static_cast<int>(v / 2); }
template <class T, std::enable_if_t<std::is_floating_point<T>::value, int> = 0> int half(T v) {
    return static_cast<int>(v / 2 * 100);
}
template <class T> auto sizeOf(const T& v, int) -> decltype(v.size()) { return v.size() + 50; }
template <class T> int sizeOf(const T&, long) { return 4; }
struct Four {
    int size() const { return 44; }
};

int main() {
    observe(half(7));
    observe(half(7.0));
    observe(half(7ull) + 10);
    observe(sizeOf(Four{}, 0));
    observe(sizeOf(3.5, 0));
}
