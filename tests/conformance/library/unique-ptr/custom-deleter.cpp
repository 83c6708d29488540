// what it asks: Does a functor or lambda deleter run once, with the pointer, at the end?
#include <cstdlib>
#include <memory>

void observe(long long value);

namespace {
int freed = 0;
struct Free {
    int weight = 1;
    void operator()(int* p) const {
        freed += weight * p[0];
        std::free(p);
    }
};
int* make(int v) {
    int* p = static_cast<int*>(std::malloc(4 * sizeof(int)));
    p[0] = v;
    return p;
}
}  // namespace
int main() {
    {
        std::unique_ptr<int[], Free> a(make(3));
        std::unique_ptr<int, Free> b(make(4), Free{100});
        a[0] += 2;
        observe(freed + a[0]);
        b.reset();
        observe(freed);
    }
    observe(freed);
    int closed = 0;
    auto close = [&closed](int* p) { closed += *p; };
    int handle = 17;
    {
        std::unique_ptr<int, decltype(close)> guard(&handle, close);
        handle = 18;
    }
    observe(closed);
}
