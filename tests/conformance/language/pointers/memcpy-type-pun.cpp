// what it asks: Does copying the bytes of a float into an unsigned integer expose its IEEE-754 fields?
#include <cstdint>
#include <cstring>

void observe(long long value);

static_assert(sizeof(float) == sizeof(std::uint32_t), "32-bit float");

int main() {
    float f = -6.5f;
    std::uint32_t bits = 0;
    std::memcpy(&bits, &f, sizeof bits);
    observe(bits >> 31);
    observe((bits >> 23) & 0xffu);
    observe((bits >> 20) & 0x7u);
    bits &= 0x7fffffffu;
    std::memcpy(&f, &bits, sizeof f);
    observe(static_cast<int>(f * 10));
}
