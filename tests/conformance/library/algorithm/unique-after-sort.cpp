// what it asks: Does unique drop neighbouring doubles only?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{3, 3, 1, 3, 2, 2, 2, 1};
    std::vector<int> w = v;
    v.erase(std::unique(v.begin(), v.end()), v.end());
    observe(static_cast<long long>(v.size()));
    observe(v[1] * 100 + v[2] * 10 + v[4]);
    std::sort(w.begin(), w.end());
    w.erase(std::unique(w.begin(), w.end()), w.end());
    observe(static_cast<long long>(w.size()));
    std::vector<int> near{10, 11, 20, 21, 22, 40};
    auto e = std::unique(near.begin(), near.end(), [](int a, int b) { return b - a < 5; });
    observe((e - near.begin()) * 100 + near[1]);
}
