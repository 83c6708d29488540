// what it asks: Does std::align leave the pointer in its buffer, and say nothing where it does not fit?
#include <cstddef>
#include <memory>

void observe(long long value);

struct Block {
    alignas(64) char bytes[128];
};
int main() {
    Block block{};
    void* at = block.bytes;
    std::size_t space = 128;
    observe(std::align(64, 64, at, space) == block.bytes);
    void* tight = block.bytes;
    std::size_t exactly = 64;
    observe(std::align(64, 64, tight, exactly) == block.bytes);
    void* small = block.bytes + 1;
    std::size_t left = 16;
    observe(std::align(64, 64, small, left) == nullptr);
    observe(small == block.bytes + 1);
    observe(left);
}
