// what it asks: Does a cast to a class convert: by the object's own operator, by a constructor, or to a copy of its base?
void observe(long long value);

struct Grid {
    int x;
    explicit Grid(int v) : x(v) {}
};
struct Extent {
    int n;
    explicit operator Grid() const { return Grid(n * 3); }
};
struct Padded : Grid {
    int pad;
    Padded(int v, int p) : Grid(v), pad(p) {}
};
struct Block {
    int threads;
    explicit Block(const Padded& p) : threads(p.x + p.pad) {}
};

int main() {
    Extent e{7};
    observe(static_cast<Grid>(e).x);
    Padded p(40, 2);
    Grid part = static_cast<Grid>(p);
    p.x = 0;
    observe(part.x);
    p.x = 5;
    observe(static_cast<Block>(p).threads);
    observe(((Grid)e).x + (Block(p)).threads);
}
