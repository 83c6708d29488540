// what it asks: Does a pointer to a method dispatch on the object, and a table of them pick by index?
void observe(long long value);

struct Codec {
    int bits = 4;
    virtual ~Codec() = default;
    virtual int pack(int v) { return v << bits; }
    int raw(int v) { return v + bits; }
};
struct Wide : Codec {
    int pack(int v) override { bits += 1; return v * 100; }
};
using Step = int (Codec::*)(int);
static int run(Codec& c, Step s, int v) { return (c.*s)(v); }

int main() {
    Codec c;
    Wide w;
    Step steps[] = {&Codec::pack, &Codec::raw};
    observe(run(c, steps[0], 3));
    observe(run(w, steps[0], 3));
    observe(run(w, steps[1], 3));
    Codec* p = &w;
    observe((p->*steps[0])(2) + p->bits);
}
