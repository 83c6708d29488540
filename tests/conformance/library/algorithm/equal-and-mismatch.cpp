// what it asks: Do equal, mismatch and lexicographical_compare find where ranges differ?
#include <algorithm>
#include <cstdlib>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> host{1, 2, 3, 4, 5}, device = host;
    observe(std::equal(host.begin(), host.end(), device.begin()) ? 3 : 4);
    device[3] += 2;
    auto pair = std::mismatch(host.begin(), host.end(), device.begin());
    observe(pair.first - host.begin());
    observe(*pair.second * 10 + *pair.first);
    bool close = std::equal(host.begin(), host.end(), device.begin(),
                            [](int a, int b) { return std::abs(a - b) <= 2; });
    observe(close ? 5 : 6);
    observe(std::lexicographical_compare(device.begin(), device.end(), host.begin(), host.end()) ? 7 : 8);
}
