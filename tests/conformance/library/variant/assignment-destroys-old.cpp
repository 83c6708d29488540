// what it asks: Does changing the alternative destroy the old one and build the new?
#include <variant>

void observe(long long value);

namespace {
int log_ = 0;
struct A {
    ~A() { log_ = log_ * 10 + 1; }
};
struct B {
    ~B() { log_ = log_ * 10 + 2; }
};
}  // namespace
int main() {
    {
        std::variant<int, A, B> v;
        v.emplace<A>();
        observe(log_ + static_cast<long long>(v.index()));
        v.emplace<B>();
        observe(log_ * 10 + static_cast<long long>(v.index()));
        v = 5;
        observe(log_);
        v.emplace<1>();
    }
    observe(log_);
}
