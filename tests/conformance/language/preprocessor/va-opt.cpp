// std: c++20
// what it asks: Does __VA_OPT__ insert its text only where variadic arguments are given?
void observe(long long value);

static int call(int a) { return a + 1000; }
static int call(int a, int b) { return a * b; }
static int call(int a, int b, int c) { return a * 100 + b * 10 + c; }
#define CALL(first, ...) call(first __VA_OPT__(, ) __VA_ARGS__)
#define BONUS(base, ...) (base __VA_OPT__(+50))
#define SUM_OR(fallback, ...) (0 __VA_OPT__(+) __VA_ARGS__ + fallback)

int main() {
    observe(CALL(7));
    observe(CALL(7, 6));
    observe(CALL(7, 6, 5));
    observe(BONUS(3));
    observe(BONUS(3, x, y));
    observe(SUM_OR(4) * 100 + SUM_OR(4, 8));
}
