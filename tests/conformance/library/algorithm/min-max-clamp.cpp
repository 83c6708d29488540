// what it asks: Do min, max, minmax_element and clamp choose the right value, the first among equals?
#include <algorithm>

void observe(long long value);

int main() {
    const int a[] = {5, 2, 9, 2, 9, 4};
    observe(std::min({8, 3, 6}) * 10 + std::max(4, 7));
    observe(std::clamp(12, 0, 10) * 100 + std::clamp(-3, 1, 10) * 10 + std::clamp(5, 1, 10));
    observe(std::max_element(a, a + 6) - a);
    auto mm = std::minmax_element(a, a + 6);
    observe((mm.first - a) * 10 + (mm.second - a));
    int x = 3, y = 8;
    const int& lower = std::min(x, y);
    x = -4;
    observe(lower + std::max(x, y));
}
