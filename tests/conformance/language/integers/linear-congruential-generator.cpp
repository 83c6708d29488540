// what it asks: Does an LCG in 64-bit unsigned arithmetic produce its exact sequence?
#include <cstdint>

void observe(long long value);

struct Lcg {
    std::uint64_t state;
    unsigned int next() {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        return static_cast<unsigned int>(state >> 33);
    }
};

int main() {
    Lcg g{42};
    observe(g.next() % 1000u);
    observe(g.next() % 1000u);
    for (int i = 0; i < 50; ++i) {
        g.next();
    }
    observe(g.next() % 1000u);
}
