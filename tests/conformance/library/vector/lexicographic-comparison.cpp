// what it asks: Do == and < on vectors compare elements first and length after?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> a{1, 2, 3};
    std::vector<int> b{1, 2, 4};
    std::vector<int> c{1, 2};
    std::vector<int> d{9};
    int mask = 0;
    if (a < b) mask |= 1;
    if (a < c) mask |= 2;
    if (c < a) mask |= 4;
    if (d < a) mask |= 8;
    if (d > b) mask |= 16;
    observe(mask);
    b.back() = 3;
    observe(a == b ? 7 : 3);
    c.push_back(5);
    observe(a != c && a < c ? 11 : 12);
}
