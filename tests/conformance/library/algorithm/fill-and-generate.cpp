// what it asks: Do fill, fill_n and generate write the elements, the generator keeping its state?
#include <algorithm>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v(6, 1);
    std::fill(v.begin() + 1, v.begin() + 3, 8);
    observe(v[0] * 100 + v[2] * 10 + v[3]);
    auto it = std::fill_n(v.begin() + 3, 2, 5);
    observe(it - v.begin());
    int seed = 3;
    std::generate(v.begin(), v.end(), [&seed] { return seed = seed * 5 % 17; });
    observe(v[0] * 100 + v[1]);
    observe(seed);
    int n = 0;
    std::generate_n(v.begin(), 3, [n]() mutable { return n += 2; });
    observe(v[2] * 10 + n);
}
