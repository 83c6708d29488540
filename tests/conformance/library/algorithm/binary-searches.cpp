// what it asks: Do lower_bound, upper_bound and binary_search bracket a value in a sorted range?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    const std::vector<int> v{2, 4, 4, 4, 7, 9};
    auto at = [&v](std::vector<int>::const_iterator it) { return it - v.begin(); };
    observe(at(std::lower_bound(v.begin(), v.end(), 4)));
    observe(at(std::upper_bound(v.begin(), v.end(), 4)));
    observe(at(std::lower_bound(v.begin(), v.end(), 5)) * 10 + at(std::lower_bound(v.begin(), v.end(), 10)));
    auto range = std::equal_range(v.begin(), v.end(), 4);
    observe(range.second - range.first);
    observe((std::binary_search(v.begin(), v.end(), 7) ? 10 : 20) +
            (std::binary_search(v.begin(), v.end(), 8) ? 1 : 2));
}
