// what it asks: Do rotate and reverse put each element where they should?
#include <algorithm>
#include <numeric>
#include <vector>

void observe(long long value);

static int digits(const std::vector<int>& v) {
    return std::accumulate(v.begin(), v.end(), 0, [](int n, int d) { return n * 10 + d; });
}
int main() {
    std::vector<int> v{1, 2, 3, 4, 5, 6};
    auto moved = std::rotate(v.begin(), v.begin() + 2, v.end());
    observe(digits(v));
    observe(moved - v.begin());
    std::reverse(v.begin() + 1, v.end() - 1);
    observe(digits(v));
    std::rotate(v.rbegin(), v.rbegin() + 1, v.rend());
    observe(digits(v));
    std::swap_ranges(v.begin(), v.begin() + 2, v.begin() + 4);
    observe(digits(v));
}
