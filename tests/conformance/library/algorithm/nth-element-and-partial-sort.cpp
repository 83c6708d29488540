// what it asks: Are the places that nth_element and partial_sort promise right?
#include <algorithm>
#include <numeric>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v;
    for (int i = 0; i < 25; ++i) v.push_back(i * 7 % 25);
    auto w = v;
    std::nth_element(v.begin(), v.begin() + 12, v.end());
    observe(v[12]);
    observe(std::accumulate(v.begin(), v.begin() + 12, 0));
    std::partial_sort(w.begin(), w.begin() + 3, w.end(), [](int a, int b) { return a > b; });
    observe(w[0] * 10000 + w[1] * 100 + w[2]);
    int top[2];
    std::partial_sort_copy(w.begin(), w.end(), top, top + 2);
    observe(top[0] * 10 + top[1] + 40);
}
