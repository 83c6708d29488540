// what it asks: Does erase of what remove leaves behind shorten the vector to the kept ones?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{5, 0, 6, 0, 0, 7};
    auto end = std::remove(v.begin(), v.end(), 0);
    observe(static_cast<long long>(v.size()));
    observe(end - v.begin());
    v.erase(end, v.end());
    observe(static_cast<long long>(v.size()));
    observe(v[0] * 100 + v[1] * 10 + v[2]);
}
