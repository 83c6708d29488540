// what it asks: Do the fixed-width types wrap, extend and shift as their widths say?
#include <climits>
#include <cstdint>

void observe(long long value);

int main() {
    std::uint8_t small = 250;
    small = static_cast<std::uint8_t>(small + 10);
    observe(small);
    std::uint32_t wide = 7;
    wide -= 8;
    observe(wide == UINT32_MAX ? 64 : 32);
    std::int64_t product = static_cast<std::int64_t>(100000) * 100000;
    observe(product / 1000000);
    std::uint16_t half = 0xBEEF;
    observe((half >> 8) * 1000 + (half & 0xFF));
    observe(static_cast<long long>(CHAR_BIT * sizeof(std::int64_t)) + SCHAR_MIN);
}
