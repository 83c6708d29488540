// what it asks: Do std::get and structured bindings name the elements themselves?
#include <array>
#include <tuple>

void observe(long long value);

int main() {
    std::array<int, 3> grid{8, 4, 2};
    auto& [x, y, z] = grid;
    y = 40;
    std::get<2>(grid) += 5;
    auto [cx, cy, cz] = grid;
    cx = 99;
    observe(grid[0]);
    observe(x * y + z);
    observe(cx + cy + cz);
    observe(static_cast<long long>(std::tuple_size<decltype(grid)>::value));
}
