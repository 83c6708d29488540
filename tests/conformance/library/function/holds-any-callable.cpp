// what it asks: Does a std::function call what it was last given: function, lambda or functor?
#include <functional>

void observe(long long value);

static int square(int x) { return x * x; }
struct Scale {
    int by;
    int operator()(int x) const { return x * by; }
};
int main() {
    std::function<int(int)> f = square;
    observe(f(6));
    int offset = 100;
    f = [offset](int x) { return x + offset; };
    offset = 0;
    observe(f(6));
    Scale s{7};
    f = s;
    s.by = 1;
    observe(f(6));
    std::function<int(int)> empty;
    observe(empty ? 1 : 20);
}
