// what it asks: Do copy_n, copy_if and copy_backward copy the right elements to the right place?
#include <algorithm>

void observe(long long value);

int main() {
    int a[8] = {1, 2, 3, 4, 5, 6, 7, 8};
    int b[8] = {};
    int* e = std::copy_if(a, a + 8, b, [](int x) { return x % 3 != 0; });
    observe(e - b);
    observe(b[4] * 10 + b[2]);
    std::copy_backward(a, a + 5, a + 7);
    observe(a[2] * 1000 + a[6] * 100 + a[7] * 10 + a[1]);
    std::copy_n(a + 6, 2, b + 6);
    observe(b[6] * 100 + b[7] * 10 + b[5]);
}
