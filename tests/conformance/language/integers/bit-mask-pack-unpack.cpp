// what it asks: Are three fields packed by shifts and masks recovered unchanged?
#include <cstdint>

void observe(long long value);

static std::uint32_t pack(std::uint32_t r, std::uint32_t g, std::uint32_t b) {
    return (r << 16) | (g << 8) | b;
}

int main() {
    std::uint32_t p = pack(12, 200, 7);
    observe((p >> 16) & 0xffu);
    observe((p >> 8) & 0xffu);
    observe(p & 0xffu);
    p &= ~(0xffu << 8);
    p |= 33u << 8;
    observe(p - (12u << 16));
    observe((p ^ 0x0fu) & 0xffu);
}
