// what it asks: Does a virtual base exist once in a diamond, initialised by the most derived class?
void observe(long long value);

struct Root {
    int v;
    static int made;
    explicit Root(int x) : v(x) { ++made; }
};
int Root::made = 0;
struct Left : virtual Root {
    Left() : Root(10) {}
    void add() { v += 1; }
};
struct Right : virtual Root {
    Right() : Root(20) {}
    void add() { v += 2; }
};
struct Both : Left, Right {
    Both() : Root(300) {}
};

int main() {
    Both b;
    observe(b.v);
    b.Left::add();
    b.Right::add();
    observe(b.v);
    observe(Root::made);
    Left l;
    observe(l.v + Root::made);
}
