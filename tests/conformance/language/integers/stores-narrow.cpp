// what it asks: Does every store convert to the type of its target, and is that what the assignment gives?
#include <cstdint>

void observe(long long value);

static int16_t started = static_cast<int16_t>(0xD040);
static uint8_t bytes[3] = {static_cast<uint8_t>(300), static_cast<uint8_t>(-1)};

struct Packed {
    unsigned low : 3;
    signed int high : 4;
};

int main() {
    int8_t narrow = 0;
    int wide = (narrow = static_cast<int8_t>(200));
    observe(wide);
    observe(started);
    observe(bytes[0] * 1000 + bytes[1]);
    Packed packed = {0, 0};
    int seen = (packed.low = 5);
    packed.low += 6;
    packed.high = -3;
    observe(seen * 100 + packed.low * 10 + packed.high);
    unsigned count = 2;
    long long mixed = wide > 0 ? 1 : -1 + count;
    observe(mixed);
}
