// what it asks: Does a map walk its keys in order whatever the order of insertion?
#include <map>

void observe(long long value);

int main() {
    std::map<int, int> m{{5, 50}, {1, 10}, {3, 30}};
    m[4] = 40;
    m[2] = 20;
    m.erase(3);
    int keys = 0;
    for (const auto& entry : m) keys = keys * 10 + entry.first;
    observe(keys);
    observe(m.begin()->second);
    observe(m.rbegin()->second);
    observe(std::next(m.begin(), 2)->second);
}
