// what it asks: Does compound assignment to a narrow unsigned type compute in int and truncate on the store?
#include <cstdint>

void observe(long long value);

int main() {
    std::uint16_t h = 65000;
    h = static_cast<std::uint16_t>(h + 1000);
    observe(h);
    std::uint8_t v = 16;
    v = static_cast<std::uint8_t>(v * 17);
    observe(v);
    std::uint8_t w = 3;
    w <<= 7;
    observe(w);
    std::uint8_t x = 0x0F;
    x = static_cast<std::uint8_t>(~x);
    observe(x);
    observe(static_cast<std::uint8_t>(~x >> 2));
}
