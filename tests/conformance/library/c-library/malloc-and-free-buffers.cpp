// what it asks: Does a malloc'ed buffer keep what a loop and a callee wrote until it is freed?
#include <cstdlib>

void observe(long long value);

static void prefix(int* data, int n) {
    for (int i = 1; i < n; ++i) data[i] += data[i - 1];
}
int main() {
    const int n = 10;
    int* h = static_cast<int*>(std::malloc(n * sizeof(int)));
    if (!h) return 1;
    for (int i = 0; i < n; ++i) h[i] = i + 1;
    prefix(h, n);
    int last = h[n - 1];
    int fourth = h[3];
    std::free(h);
    h = nullptr;
    observe(last);
    observe(fourth);
    observe(h ? 30 : 31);
}
