// what it asks: Does a vector of reference_wrapper change the objects that it names?
#include <algorithm>
#include <functional>
#include <vector>

void observe(long long value);

int main() {
    int a = 5, b = 9, c = 1;
    std::vector<std::reference_wrapper<int>> refs{a, b, c};
    for (int& r : refs) r *= 2;
    observe(a + b + c);
    std::sort(refs.begin(), refs.end(), [](int x, int y) { return x < y; });
    refs[0].get() = 70;
    observe(c);
    refs[0] = a;
    refs[0] += 3;
    observe(a * 10 + b);
}
