// what it asks: Does a reference member keep its target while a reference_wrapper can be rebound?
#include <functional>

void observe(long long value);

struct Watcher {
    int& target;
    int seen;
    explicit Watcher(int& t) : target(t), seen(t) {}
    int delta() const { return target - seen; }
};

int main() {
    int a = 10, b = 200;
    Watcher w(a);
    a += 7;
    observe(w.delta());
    w.target = b;
    observe(a);
    std::reference_wrapper<int> r = b;
    r.get() += 1;
    r = a;
    r.get() -= 50;
    observe(a);
    observe(b);
}
