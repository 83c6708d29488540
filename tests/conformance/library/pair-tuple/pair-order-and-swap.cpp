// what it asks: Are pairs ordered by first then second, and swapped member by member?
#include <algorithm>
#include <utility>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::pair<int, int>> v{{2, 9}, {1, 8}, {2, 3}, {1, 5}};
    std::sort(v.begin(), v.end());
    int seconds = 0;
    for (const auto& p : v) seconds = seconds * 10 + p.second;
    observe(seconds);
    std::swap(v[0], v[3]);
    observe(v[0].first * 10 + v[0].second);
    auto best = std::max(v[1], v[2]);
    best.first = 70;
    observe(best.first + best.second + v[2].first);
}
