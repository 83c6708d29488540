// what it asks: Does forward keep whether an argument was an lvalue, const or rvalue?
#include <utility>

void observe(long long value);

namespace {
int kind(int&) { return 1; }
int kind(const int&) { return 2; }
int kind(int&&) { return 3; }
template <class T>
int forwarded(T&& x) { return kind(std::forward<T>(x)); }
template <class T>
int named(T&& x) { return kind(x); }
template <class... A>
int all(A&&... a) {
    int code = 0;
    ((code = code * 10 + kind(std::forward<A>(a))), ...);
    return code;
}
}  // namespace
int main() {
    int x = 5;
    const int c = 6;
    observe(forwarded(x) * 100 + forwarded(c) * 10 + forwarded(7));
    observe(named(x) * 100 + named(c) * 10 + named(7));
    observe(all(1, x, c, std::move(x)));
}
