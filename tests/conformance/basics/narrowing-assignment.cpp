// what it asks: whether an assignment to a narrower type keeps the low bits only.
#include <cstdint>

void observe(long long value);

int main() {
    int value = 1000;
    std::int8_t low = static_cast<std::int8_t>(value & 0x7f);
    observe(low);
    unsigned char byte = static_cast<unsigned char>(value);
    observe(byte);
    bool flag = static_cast<bool>(value);
    observe(flag + 1);
    std::uint16_t half = static_cast<std::uint16_t>(value * 100);
    observe(half);
    return 0;
}
