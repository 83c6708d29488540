// what it asks: Does std::forward keep the value category of each forwarded argument?
#include <utility>

void observe(long long value);

static int sink(int&) { return 1; }
static int sink(const int&) { return 20; }
static int sink(int&&) { return 300; }
template <class T> int good(T&& v) { return sink(std::forward<T>(v)); }
template <class T> int naive(T&& v) { return sink(v); }
template <class... T> int all(T&&... v) { return (0 + ... + sink(std::forward<T>(v))); }

int main() {
    int a = 0;
    const int b = 0;
    observe(good(a));
    observe(good(b));
    observe(good(5));
    observe(naive(5) + 7);
    observe(all(a, b, 5, std::move(a)));
}
