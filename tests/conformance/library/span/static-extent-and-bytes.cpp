// std: c++20
// what it asks: Do fixed-extent spans and as_bytes tell their sizes?
#include <cstddef>
#include <span>

void observe(long long value);

template <std::size_t N>
constexpr std::size_t extent(std::span<const int, N>) {
    return N == std::dynamic_extent ? 1000 : N;
}
int main() {
    int values[6] = {1, 2, 3, 4, 5, 6};
    std::span<const int, 6> fixed(values);
    std::span<const int> loose(fixed);
    observe(static_cast<long long>(extent(fixed)));
    observe(static_cast<long long>(extent(loose)));
    observe(static_cast<long long>(std::as_bytes(fixed).size()));
    auto half = fixed.first<3>();
    values[2] = 9;
    observe(half[2] * 10 + static_cast<long long>(extent(half)));
}
