// what it asks: Does the noexcept operator tell which calls may throw, so that a copy or a move is chosen?
#include <utility>

void observe(long long value);

struct Safe {
    Safe() = default;
    Safe(Safe&&) noexcept {}
};
struct Risky {
    Risky() = default;
    Risky(Risky&&) {}
};
static int quiet(int v) noexcept { return v; }
static int loud(int v) {
    if (v > 1000) throw v;
    return v;
}
template <class T> constexpr int plan() { return noexcept(T(std::declval<T&&>())) ? 7 : 70; }

int main() {
    observe(plan<Safe>());
    observe(plan<Risky>());
    int n = 3;
    observe(noexcept(quiet(n)) ? 11 : 22);
    observe(noexcept(loud(n++)) ? 11 : 22);
    observe(n);
}
