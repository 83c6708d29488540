// what it asks: Do copies of a mutable lambda count apart: passed by value, captured, stored, referred to?
#include <functional>
void observe(long long value);

template <class F> static int twice(F f) { f(); return f(); }
template <class F> static int through(F& f) { f(); return f(); }

int main() {
    auto next = [n = 1]() mutable { return n *= 2; };
    observe(twice(next));
    observe(next());
    observe(through(next));
    auto held = [next]() mutable { return next() + 1000; };
    observe(held());
    observe(next());
    std::function<int()> f = next, g = f;
    f();
    observe(f() * 1000 + g());
    observe(next());
}
