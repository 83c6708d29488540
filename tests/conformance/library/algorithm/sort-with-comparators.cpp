// what it asks: Does sort order by the comparator given, and only the range given?
#include <algorithm>
#include <cstdlib>
#include <functional>

void observe(long long value);

static int digits(const int* a) { return a[0] * 10000 + a[1] * 1000 + a[2] * 100 + a[3] * 10 + a[4]; }
int main() {
    int a[] = {3, 1, 5, 2, 4};
    std::sort(a + 1, a + 4);
    observe(digits(a));
    std::sort(a, a + 5, std::greater<int>());
    observe(digits(a));
    std::sort(a, a + 5, [](int x, int y) { return x % 3 != y % 3 ? x % 3 < y % 3 : x < y; });
    observe(digits(a));
}
