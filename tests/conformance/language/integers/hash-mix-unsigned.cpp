// what it asks: Does an unsigned multiply and xor hash wrap at 32 bits exactly?
#include <cstdint>

void observe(long long value);

static std::uint32_t fnv(const char* text) {
    std::uint32_t h = 2166136261u;
    while (*text != '\0') {
        h ^= static_cast<unsigned char>(*text++);
        h *= 16777619u;
    }
    return h;
}

int main() {
    observe(fnv("block") % 1000u);
    observe(fnv("grid") % 1000u);
    observe(fnv("") % 1000u);
}
