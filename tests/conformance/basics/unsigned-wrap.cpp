// what it asks: whether an unsigned subtraction wraps at the width of its type.
#include <cstdint>

void observe(long long value);

int main() {
    std::uint32_t left = 3;
    std::uint32_t right = 5;
    std::uint32_t difference = left - right;
    observe(difference);
    std::uint8_t small = 250;
    small += 10;
    observe(small);
    std::uint64_t wide = difference;
    wide += 2;
    observe(static_cast<long long>(wide >> 8));
    return 0;
}
