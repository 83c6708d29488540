// std: c++20
// what it asks: Do two auto parameters of a function deduce independent types?
#include <concepts>

void observe(long long value);

static auto add(auto a, auto b) { return a + b; }
static int scale(std::integral auto v) { return static_cast<int>(v) * 10; }
static int scale(std::floating_point auto v) { return static_cast<int>(v * 1000); }

int main() {
    observe(add(1, 2));
    observe(static_cast<int>(add(1, 0.5) * 10));
    observe(scale(7));
    observe(scale(0.25f));
    observe(scale(add('\x02', 3L)));
}
