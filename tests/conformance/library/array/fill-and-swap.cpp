// what it asks: Do fill and swap act on every element?
#include <array>

void observe(long long value);

int main() {
    std::array<int, 4> a;
    a.fill(3);
    std::array<int, 4> b{1, 2, 4, 8};
    a[2] = 30;
    a.swap(b);
    observe(a[2]);
    observe(b[0] + b[1] + b[2] + b[3]);
    b.fill(-2);
    observe(b.front() + b.back());
}
