// what it asks: Do replace, replace_if and remove_copy_if change just what matches?
#include <algorithm>

void observe(long long value);

int main() {
    int a[7] = {0, 5, -1, 5, -8, 3, 0};
    int out[7] = {9, 9, 9, 9, 9, 9, 9};
    int* e = std::remove_copy_if(a, a + 7, out, [](int x) { return x <= 0; });
    observe((e - out) * 100 + out[2] * 10 + out[3]);
    std::replace(a, a + 4, 5, 6);
    observe(a[1] * 10 + a[3]);
    std::replace_if(a, a + 7, [](int x) { return x < 0; }, 77);
    observe(a[2] + a[4]);
    observe(a[0] + a[6] + a[5]);
}
