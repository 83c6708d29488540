// what it asks: Do bindings by value copy and by reference alias a tuple's and a struct's members?
#include <tuple>

void observe(long long value);

struct Dim3 {
    int x;
    int y;
    int z;
};
int main() {
    Dim3 grid{2, 3, 4};
    auto [cx, cy, cz] = grid;
    cx = 50;
    auto& [x, y, z] = grid;
    y += 10;
    observe(grid.x * grid.y * grid.z);
    observe(cx + cy + cz);
    std::tuple<int, int> t{6, 7};
    auto& [first, second] = t;
    first = second * 2;
    observe(std::get<0>(t) + x + z);
}
