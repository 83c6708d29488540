// what it asks: Is a negative int converted to unsigned modulo 2^N for several widths?
#include <cstdint>

void observe(long long value);

int main() {
    int n = -3;
    auto u8 = static_cast<std::uint8_t>(n);
    auto u16 = static_cast<std::uint16_t>(n);
    auto u32 = static_cast<std::uint32_t>(n);
    observe(u8);
    observe(u16);
    observe(u32 % 1000u);
    auto cut = static_cast<std::uint8_t>(0x1234);
    observe(cut);
    auto u8again = static_cast<std::uint8_t>(n - 256);
    observe(u8again + 1);
}
