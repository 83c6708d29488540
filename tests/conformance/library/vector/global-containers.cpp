// std: c++17
// what it asks: Do global containers begin as they are declared, behind an alias and in a class that extends one too?
#include <array>
#include <vector>

void observe(long long value);

using Numbers = std::vector<int>;

struct Named : Numbers {
    using Numbers::Numbers;
};

struct Grid : std::array<int, 3> {
    int sum() { return at(0) + at(1) + (*this)[2]; }
};

static Named listed{1, 2, 3};
static Numbers filled(2, 6);
static std::vector<int> empty;

struct Owner {
    static Named pool;
    static void add(int x) { pool.push_back(x); }
    static int first() { return pool[0]; }
};
Named Owner::pool;

namespace outer {
struct Base {
    int value;
    explicit Base(int v) : value(v) {}
};
}  // namespace outer

struct Derived : outer::Base {
    Derived() : outer::Base(4) {}
};

int main() {
    observe(listed.size());
    observe(listed[2]);
    listed.push_back(10);
    observe(listed.back());
    observe(filled.size());
    observe(filled[1]);
    observe(empty.size());
    empty.resize(2, 9);
    observe(empty[1]);
    Owner::add(5);
    Owner::add(6);
    observe(Owner::first());
    observe(Owner::pool.size());
    Grid grid;
    grid[0] = 1;
    grid[1] = 2;
    grid[2] = 3;
    observe(grid.sum());
    observe(grid.size());
    Derived derived;
    observe(derived.value);
}
