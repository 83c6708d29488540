// what it asks: Does transform map one range or two, in place too, and return the end written?
#include <algorithm>
#include <functional>

void observe(long long value);

int main() {
    int a[5] = {1, 2, 3, 4, 5};
    int b[5] = {10, 20, 30, 40, 50};
    int out[5] = {};
    int* end = std::transform(a, a + 3, b + 1, out, std::plus<int>());
    observe(end - out);
    observe(out[2] * 10 + out[3]);
    std::transform(a, a + 5, a, [](int x) { return x * x; });
    observe(a[4] + a[1]);
    int k = 3;
    std::transform(b, b + 5, out, [k](int x) { return x / k; });
    observe(out[0] * 100 + out[4]);
}
