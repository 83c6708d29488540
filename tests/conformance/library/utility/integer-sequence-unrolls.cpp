// what it asks: Does index_sequence unroll a call over the elements of a tuple or array?
#include <array>
#include <cstddef>
#include <utility>

void observe(long long value);

template <std::size_t... I>
static constexpr int weighted(const std::array<int, sizeof...(I)>& a, std::index_sequence<I...>) {
    return ((a[I] * static_cast<int>(I + 1)) + ...);
}
template <std::size_t... I>
static constexpr std::array<int, sizeof...(I)> cubes(std::index_sequence<I...>) {
    return {static_cast<int>(I * I * I)...};
}
int main() {
    constexpr auto c = cubes(std::make_index_sequence<5>());
    observe(c[4]);
    observe(weighted(c, std::make_index_sequence<5>()));
    observe(static_cast<long long>(std::index_sequence_for<int, char, long>::size()));
    observe(weighted({7, 8}, std::index_sequence<0, 1>()));
}
