// what it asks: Is size_t subtraction unsigned, so that a guard is needed for a count below one?
#include <cstddef>

void observe(long long value);

static std::size_t stepsLeft(std::size_t n, std::size_t taken) {
    if (n - taken > n) {
        return 99;
    }
    return n - taken;
}

int main() {
    observe(static_cast<long long>(stepsLeft(10, 4)));
    observe(static_cast<long long>(stepsLeft(4, 10)));
    std::size_t z = 0;
    observe(z - 1 > 5 ? 42 : 24);
    observe(static_cast<long long>(z - 1 + 8));
}
