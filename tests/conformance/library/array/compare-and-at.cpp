// what it asks: Do the comparisons look at all elements and does at check its index?
#include <array>
#include <stdexcept>

void observe(long long value);

int main() {
    std::array<int, 3> a{1, 5, 2};
    std::array<int, 3> b{1, 5, 3};
    observe((a < b ? 10 : 20) + (a == b ? 1 : 2));
    b[2] = 2;
    observe((a < b ? 10 : 20) + (a == b ? 1 : 2));
    int code = 3;
    try {
        code = b.at(3);
    } catch (const std::out_of_range&) {
        code *= 9;
    }
    observe(code);
}
