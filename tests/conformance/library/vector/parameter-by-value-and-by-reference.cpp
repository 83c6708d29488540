// what it asks: Does a callee change the caller's vector only through a reference?
#include <utility>
#include <vector>

void observe(long long value);

static int by_value(std::vector<int> v) {
    v.push_back(100);
    v[0] = 50;
    return static_cast<int>(v.size()) * 1000 + v[0];
}
static void by_reference(std::vector<int>& v) {
    v.push_back(200);
    v[0] = 60;
}
int main() {
    std::vector<int> v{1, 2};
    observe(by_value(v));
    observe(static_cast<long long>(v.size()) * 1000 + v[0]);
    by_reference(v);
    observe(static_cast<long long>(v.size()) * 1000 + v[0]);
    observe(by_value(std::move(v)));
}
