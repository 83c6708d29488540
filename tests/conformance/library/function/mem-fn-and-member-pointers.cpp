// what it asks: Do mem_fn and invoke call members through objects, references and pointers?
#include <functional>
#include <memory>
#include <vector>

void observe(long long value);

struct Counter {
    int n;
    int plus(int k) const { return n + k; }
    void bump() { ++n; }
};
int main() {
    std::vector<Counter> cs{{1}, {20}, {300}};
    auto bump = std::mem_fn(&Counter::bump);
    for (auto& c : cs) bump(c);
    observe(cs[0].n + cs[1].n + cs[2].n);
    observe(std::invoke(&Counter::plus, &cs[1], 5));
    observe(std::mem_fn(&Counter::n)(cs[2]));
    auto shared = std::make_shared<Counter>(Counter{40});
    bump(shared);
    std::function<int(const Counter&, int)> f = &Counter::plus;
    observe(f(*shared, 2));
}
