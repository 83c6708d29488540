// what it asks: Does a virtual call go to the dynamic type while a non-virtual one goes to the static type?
void observe(long long value);

struct Op {
    virtual ~Op() = default;
    virtual int cost() const { return 1; }
    int plain() const { return 10; }
};
struct Gemm : Op {
    int cost() const override { return 500; }
    int plain() const { return 20; }
};
static int ask(const Op& o) { return o.cost() + o.plain(); }

int main() {
    Op o;
    Gemm g;
    observe(ask(o));
    observe(ask(g));
    observe(g.cost() + g.plain());
    const Op* list[3] = {&g, &o, &g};
    int total = 0;
    for (const Op* p : list) total += p->cost();
    observe(total);
    observe(g.Op::cost());
}
