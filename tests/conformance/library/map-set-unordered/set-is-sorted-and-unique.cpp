// what it asks: Does a set drop doubles and hold its elements sorted?
#include <set>

void observe(long long value);

int main() {
    std::set<int> s{5, 3, 5, 8, 1, 3};
    observe(static_cast<long long>(s.size()));
    observe(s.insert(8).second ? 70 : 71);
    observe(s.insert(4).second ? 80 : 81);
    int digits = 0;
    for (int x : s) digits = digits * 10 + x;
    observe(digits);
    s.erase(s.begin());
    observe(*s.begin() * 10 + *s.rbegin());
}
