// what it asks: Do partial_sum, exclusive_scan, inclusive_scan and adjacent_difference give the running values?
#include <functional>
#include <numeric>

void observe(long long value);

int main() {
    const int a[6] = {3, 1, 4, 1, 5, 9};
    int s[6] = {}, x[6] = {}, d[6] = {};
    std::partial_sum(a, a + 6, s);
    observe(s[4]);
    std::exclusive_scan(a, a + 6, x, 10);
    observe(x[0] * 100 + x[5]);
    std::adjacent_difference(s, s + 6, d);
    observe(d[0] * 100 + d[5] * 10 + d[3]);
    std::inclusive_scan(a, a + 6, x, [](int p, int q) { return p > q ? p : q; });
    observe(x[3] * 10 + x[5]);
}
