// what it asks: Do inherited constructors initialise the derived members by their defaults?
void observe(long long value);

struct Base {
    int a;
    int b;
    explicit Base(int x) : a(x), b(x * 2) {}
    Base(int x, int y) : a(x), b(y) {}
};
struct Derived : Base {
    using Base::Base;
    int c = a + b;
    Derived(int x, int y, int z) : Base(y, x), c(z) {}
};

int main() {
    Derived d(7);
    Derived e(1, 30);
    Derived f(1, 2, 3);
    observe(d.c);
    observe(e.c);
    observe(f.a * 100 + f.b * 10 + f.c);
}
