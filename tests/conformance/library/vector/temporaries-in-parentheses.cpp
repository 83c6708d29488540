// what it asks: How long is a vector that is a temporary, handed on, copied or assigned?
#include <vector>
void observe(long long value);
static long f(const std::vector<int>& v) { return v.size(); }
static long g(std::vector<int> v) { return v.size(); }
int main() {
    observe(std::vector<int>(28, 1).size());
    auto t = std::vector<int>(27, 1);
    observe(t.size());
    std::vector<int> u = std::vector<int>(26, 1);
    observe(u.size());
    observe(f(std::vector<int>(25, 1)));
    observe(g(std::vector<int>(24, 1)));
    u = std::vector<int>(23, 1);
    observe(u.size());
}
