// what it asks: Do iota, reduce, inner_product and transform_reduce compute their sums?
#include <functional>
#include <numeric>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> a(6), b(6);
    std::iota(a.begin(), a.end(), 1);
    std::iota(b.rbegin(), b.rend(), -2);
    observe(a[5] * 10 + b[0]);
    observe(std::reduce(a.begin(), a.end()));
    observe(std::reduce(a.begin(), a.begin() + 5, 2, std::multiplies<>()));
    observe(std::inner_product(a.begin(), a.end(), b.begin(), 100));
    observe(std::transform_reduce(a.begin(), a.end(), 0, std::plus<>(), [](int x) { return x * x; }));
}
