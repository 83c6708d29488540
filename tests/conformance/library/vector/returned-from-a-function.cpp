// what it asks: Does a vector made in a function arrive whole, without copies of its elements?
#include <vector>

void observe(long long value);

namespace {
int copies = 0;
struct Cell {
    int value = 0;
    Cell() = default;
    explicit Cell(int v) : value(v) {}
    Cell(const Cell& o) : value(o.value) { ++copies; }
    Cell(Cell&& o) noexcept : value(o.value) {}
};
std::vector<Cell> make(int n) {
    std::vector<Cell> out;
    for (int i = 0; i < n; ++i) out.emplace_back(i + 2);
    return out;
}
}  // namespace
int main() {
    std::vector<Cell> got = make(7);
    observe(copies + 60);
    observe(static_cast<long long>(got.size()));
    observe(got[6].value);
    std::vector<Cell> again = got;
    observe(copies + 60);
}
