// what it asks: Do alignment specifiers and member order decide sizes and offsets?
#include <cstddef>
#include <cstdint>

void observe(long long value);

struct Loose { std::uint8_t a; std::uint32_t b; std::uint8_t c; };
struct Tight { std::uint32_t b; std::uint8_t a; std::uint8_t c; };
struct alignas(16) Vec4 { float x, y, z; };
struct Block {
    std::uint8_t tag;
    alignas(8) std::uint16_t v;
    std::uint8_t tail;
};

int main() {
    observe(sizeof(Loose) * 100 + sizeof(Tight));
    observe(sizeof(Vec4) * 100 + alignof(Vec4));
    observe(offsetof(Block, v) * 10 + offsetof(Block, tail));
    observe(sizeof(Block));
    observe(sizeof(Vec4[3]) / 2);
}
