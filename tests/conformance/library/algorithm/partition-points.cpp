// what it asks: Do stable_partition and partition_point split at the right place?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{5, 12, 3, 40, 8, 21, 7};
    auto split = std::stable_partition(v.begin(), v.end(), [](int x) { return x < 10; });
    observe(split - v.begin());
    observe(v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3]);
    observe(*split * 1000 + v[5] * 10 + v[6] % 10);
    auto point = std::partition_point(v.begin(), v.end(), [](int x) { return x < 10; });
    observe(point == split ? 14 : 15);
}
