// what it asks: Is a prvalue constructed in place without any copy or move in C++17?
void observe(long long value);

struct Counted {
    static int copies, moves, made;
    int v;
    explicit Counted(int x) : v(x) { ++made; }
    Counted(const Counted& o) : v(o.v) { ++copies; }
    Counted(Counted&& o) noexcept : v(o.v) { ++moves; }
};
int Counted::copies = 0;
int Counted::moves = 0;
int Counted::made = 0;
static Counted make(int x) { return Counted(x); }
static Counted outer(int x) { return make(x * 2); }

int main() {
    Counted a = outer(21);
    Counted b = Counted(Counted(7));
    observe(a.v + b.v);
    observe(Counted::copies * 100 + Counted::moves * 10 + Counted::made);
    Counted c = a;
    observe(c.v);
    observe(Counted::copies * 100 + Counted::moves * 10 + Counted::made);
}
