// what it asks: Does an unordered_set with its own hash and equality find equal keys, collisions included?
#include <cstddef>
#include <unordered_set>

void observe(long long value);

struct Cell {
    int x;
    int y;
    bool operator==(const Cell& o) const { return x == o.x && y == o.y; }
};
struct CellHash {
    std::size_t operator()(const Cell& c) const { return static_cast<std::size_t>(c.x + c.y); }
};
int main() {
    std::unordered_set<Cell, CellHash> visited;
    int repeats = 0;
    const Cell path[] = {{0, 0}, {0, 1}, {1, 0}, {0, 1}, {1, 1}, {2, 0}, {0, 0}};
    for (const Cell& c : path)
        if (!visited.insert(c).second) ++repeats;
    observe(repeats);
    observe(static_cast<long long>(visited.size()));
    observe(static_cast<long long>(visited.count({2, 0}) * 10 + visited.count({0, 2})));
}
