// what it asks: Does exchange return the old value and swap trade two?
#include <utility>

void observe(long long value);

int main() {
    int front = 4, back = 9;
    int old = std::exchange(front, 30);
    observe(old * 100 + front);
    std::swap(front, back);
    observe(front * 100 + back);
    int a[2] = {1, 2}, b[2] = {3, 4};
    std::swap(a, b);
    observe(a[0] * 1000 + a[1] * 100 + b[0] * 10 + b[1]);
    int f0 = 0, f1 = 1;
    for (int i = 0; i < 11; ++i) f0 = std::exchange(f1, f0 + f1);
    observe(f0);
}
