// std: c++20
// what it asks: Is the more constrained of two viable templates chosen?
#include <concepts>

void observe(long long value);

template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <class T> concept Whole = Number<T> && std::integral<T>;
template <class T> concept Sized = requires(const T& t) {
    { t.size() } -> std::convertible_to<int>;
};
struct Buffer {
    int size() const { return 9; }
};
template <class T> int rank(const T&) { return 1; }
template <Number T> int rank(const T& v) { return static_cast<int>(v * 10); }
template <Whole T> int rank(const T& v) { return static_cast<int>(v) + 500; }
template <Sized T> int rank(const T& v) { return v.size() * 100; }

int main() {
    observe(rank(2.5));
    observe(rank(7));
    observe(rank(Buffer{}));
    observe(rank("text"));
    observe(rank('\n') - 500);
}
