// what it asks: Does make_unique of an array give zeros and index like an array?
#include <memory>

void observe(long long value);

int main() {
    const int n = 6;
    auto a = std::make_unique<int[]>(n);
    for (int i = 0; i < n; i += 2) a[i] = i + 1;
    int even = 0, odd = 10;
    for (int i = 0; i < n; ++i) (i % 2 ? odd : even) += a[i];
    observe(even);
    observe(odd);
    int* raw = a.get();
    raw[3] = 44;
    observe(a[3]);
    std::unique_ptr<int[]> b(new int[2]{5, 6});
    a.swap(b);
    observe(a[1] * 100 + b[3]);
}
