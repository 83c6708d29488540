// what it asks: Does naming a method with its class switch the virtual dispatch off, through pointers, references and this?
void observe(long long value);

struct Plan {
    int depth = 2;
    virtual ~Plan() = default;
    virtual int cost(int k) const { return depth * k; }
    int both(int k) const { return cost(k) * 1000 + Plan::cost(k); }
};
struct Tiled : Plan {
    int tile = 7;
    int cost(int k) const override { return Plan::cost(k) + tile; }
};
struct Wrapped : Tiled {
    int cost(int k) const override { return 2 * this->Tiled::cost(k); }
};

int main() {
    Wrapped w;
    Plan* p = &w;
    observe(p->cost(3));
    observe(p->Plan::cost(3));
    observe(w.Tiled::cost(3));
    observe(p->both(3));
    const Tiled& t = w;
    observe(t.Plan::cost(5) + t.Tiled::tile);
}
