// std: c++20
// what it asks: Do filter, transform, take and iota views compose lazily?
#include <ranges>
#include <vector>

void observe(long long value);

int main() {
    int evaluated = 0;
    auto squares = std::views::iota(1) | std::views::transform([&evaluated](int x) {
                       ++evaluated;
                       return x * x;
                   });
    observe(evaluated + 9);
    int sum = 0;
    for (int x : squares | std::views::take(5)) sum += x;
    observe(sum);
    observe(evaluated);
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    int digits = 0;
    for (int& x : v | std::views::filter([](int y) { return y % 2 == 0; }) | std::views::reverse) {
        digits = digits * 10 + x;
        x = 0;
    }
    observe(digits);
    observe(v[3] * 10 + v[4]);
}
