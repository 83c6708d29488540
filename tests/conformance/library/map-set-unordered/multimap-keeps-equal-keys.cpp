// what it asks: Does a multimap keep all values of a key, in order of insertion?
#include <map>

void observe(long long value);

int main() {
    std::multimap<int, int> m;
    m.insert({2, 5});
    m.insert({1, 7});
    m.insert({2, 3});
    m.insert({2, 9});
    observe(static_cast<long long>(m.count(2)));
    auto range = m.equal_range(2);
    int digits = 0;
    for (auto it = range.first; it != range.second; ++it) digits = digits * 10 + it->second;
    observe(digits);
    auto erased = m.erase(2);
    observe(static_cast<long long>(erased * 10 + m.size()));
}
