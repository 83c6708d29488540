// what it asks: Does a comparator decide both the order and which keys are the same?
#include <functional>
#include <map>

void observe(long long value);

struct ByLastDigit {
    bool operator()(int a, int b) const { return a % 10 < b % 10; }
};
int main() {
    std::map<int, int, ByLastDigit> m;
    for (int k : {25, 14, 35, 91, 64, 7}) m[k] += k;
    observe(static_cast<long long>(m.size()));
    observe(m.begin()->first);
    observe(m[5]);
    std::map<int, int, std::greater<int>> down{{1, 4}, {2, 5}, {3, 6}};
    observe(down.begin()->second);
}
