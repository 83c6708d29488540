// what it asks: Do virtual calls and the destructor go to the derived class through unique_ptr to base?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

namespace {
int destroyed = 0;
struct Op {
    virtual int apply(int x) const { return x; }
    virtual ~Op() { destroyed += 1; }
};
struct Add : Op {
    int n;
    explicit Add(int v) : n(v) {}
    int apply(int x) const override { return x + n; }
    ~Add() override { destroyed += 10; }
};
struct Twice : Op {
    int apply(int x) const override { return x * 2; }
    ~Twice() override { destroyed += 100; }
};
}  // namespace
int main() {
    std::vector<std::unique_ptr<Op>> ops;
    ops.push_back(std::make_unique<Add>(3));
    ops.push_back(std::make_unique<Twice>());
    ops.emplace_back(new Op);
    std::unique_ptr<Add> own(new Add(5));
    ops.push_back(std::move(own));
    int x = 4;
    for (const auto& op : ops) x = op->apply(x);
    observe(x);
    ops.erase(ops.begin());
    observe(destroyed);
    ops.clear();
    observe(destroyed);
}
