// what it asks: Is a vector still taken to be as long as before when one of unknown length is assigned?
#include <vector>
void observe(long long value);
int ext();
std::vector<int> some(int n) { std::vector<int> v; for (int i = 0; i < n; ++i) if (i % 3) v.push_back(i); return v; }
int main() {
    std::vector<int> w(5);
    observe(w.size());
    std::vector<int> v = some(2000);
    w = v;
    observe(w.size());
    struct S { std::vector<int> a; int b; } s{{1, 2}, 3}, t{v, 4};
    observe(s.a.size());
    s = t;
    observe(s.a.size());
}
