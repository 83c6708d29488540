// std: c++20
// what it asks: Do constrained overloads choose the most constrained that fits?
#include <concepts>
#include <string>
#include <vector>

void observe(long long value);

template <class T>
concept Sized = requires(const T& t) {
    { t.size() } -> std::convertible_to<int>;
};
template <class T>
concept Growable = Sized<T> && requires(T& t, typename T::value_type v) { t.push_back(v); };
struct Fixed {
    int size() const { return 6; }
};
static int rate(auto) { return 1; }
static int rate(std::integral auto x) { return static_cast<int>(x) + 10; }
static int rate(Sized auto s) { return static_cast<int>(s.size()) + 100; }
static int rate(Growable auto s) { return static_cast<int>(s.size()) + 1000; }
int main() {
    observe(rate(5));
    observe(rate(5.0));
    observe(rate(Fixed{}));
    observe(rate(std::vector<int>{1, 2, 3}));
    observe(rate(std::string("ab")));
}
