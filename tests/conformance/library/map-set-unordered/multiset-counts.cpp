// what it asks: Does a multiset keep doubles, and erase by value take all of them but by iterator one?
#include <set>

void observe(long long value);

int main() {
    std::multiset<int> m{4, 4, 2, 4, 9, 2};
    observe(static_cast<long long>(m.count(4)));
    m.erase(m.find(4));
    observe(static_cast<long long>(m.size()));
    observe(static_cast<long long>(m.erase(4)));
    observe(static_cast<long long>(m.size()));
    observe(*m.rbegin() - *m.begin());
}
