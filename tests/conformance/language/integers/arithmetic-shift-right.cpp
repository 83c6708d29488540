// std: c++20
// what it asks: Is C++20 right shift of a negative signed value arithmetic, while the unsigned one is logical?
#include <cstdint>

void observe(long long value);

int main() {
    int n = -20;
    observe(n >> 2);
    observe(n / 8);
    observe(n >> 3);
    std::uint32_t u = static_cast<std::uint32_t>(n);
    observe(u >> 28);
    std::int64_t w = -1;
    observe(w >> 40);
}
