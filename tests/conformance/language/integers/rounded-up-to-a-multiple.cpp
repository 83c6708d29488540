#include <cstddef>
#include <cstdint>
void observe(long long value);
struct Arena {
    std::size_t used = 0;
    std::size_t take(std::size_t bytes) {
        const std::size_t start = (used + 255) & ~std::size_t{255};
        used = start + bytes;
        return start;
    }
    std::size_t take2(std::size_t bytes) {
        const std::size_t start = (used + 255) & ~std::size_t(255);
        used = start + bytes;
        return start;
    }
    std::size_t take3(std::size_t bytes) {
        const std::size_t start = (used + 255) / 256 * 256;
        used = start + bytes;
        return start;
    }
};
int main() {
    Arena a;
    observe(a.take(512));
    observe(a.take(100));
    observe(a.take(5));
    Arena b;
    observe(b.take2(100));
    observe(b.take2(100));
    observe(b.take3(100));
    observe(b.take3(100));
    std::size_t m = std::size_t{255};
    observe(m);
    std::size_t k = ~std::size_t{255};
    observe(k == ~std::size_t(255));
    unsigned u = unsigned{7};
    observe(u);
    auto w = std::uint32_t{9};
    observe(w);
    return 0;
}
