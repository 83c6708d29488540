// what it asks: Does copy-and-swap assignment by value handle copies, moves and self-assignment?
#include <utility>

void observe(long long value);

struct Cell {
    int* p;
    static int alive;
    explicit Cell(int v) : p(new int(v)) { ++alive; }
    Cell(const Cell& o) : p(new int(*o.p)) { ++alive; }
    Cell(Cell&& o) noexcept : p(std::exchange(o.p, nullptr)) { ++alive; }
    Cell& operator=(Cell o) noexcept {
        std::swap(p, o.p);
        return *this;
    }
    ~Cell() { delete p; --alive; }
};
int Cell::alive = 0;

int main() {
    Cell a(5), b(8);
    a = b;
    *b.p = 80;
    observe(*a.p);
    Cell& same = a;
    a = same;
    observe(*a.p + 100);
    a = std::move(b);
    observe(*a.p);
    observe(b.p == nullptr ? 12 : 21);
    observe(Cell::alive);
}
