// what it asks: Does tie assign to the named variables, through copies made first?
#include <tuple>

void observe(long long value);

static std::tuple<int, int, int> split(int seconds) {
    return {seconds / 3600, seconds / 60 % 60, seconds % 60};
}
int main() {
    int h = 0, m = 0, s = -1;
    std::tie(h, m, s) = split(7384);
    observe(h * 10000 + m * 100 + s);
    std::tie(h, std::ignore, m) = split(3661);
    observe(h * 100 + m);
    int a = 0, b = 1;
    for (int i = 0; i < 10; ++i) std::tie(a, b) = std::make_tuple(b, a + b);
    observe(a);
    observe(b);
}
