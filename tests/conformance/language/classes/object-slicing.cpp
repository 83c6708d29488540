// what it asks: Does copying a derived object into a base object slice off its overrides?
void observe(long long value);

struct Base {
    int n = 3;
    virtual ~Base() = default;
    virtual int value() const { return n; }
};
struct Derived : Base {
    int extra = 40;
    int value() const override { return n * 100 + extra; }
};
static int byValue(Base b) { return b.value(); }
static int byRef(const Base& b) { return b.value(); }

int main() {
    Derived d;
    d.n = 6;
    observe(byValue(d));
    observe(byRef(d));
    Base b = d;
    d.n = 9;
    observe(b.value());
    static_cast<Base&>(d) = b;
    observe(d.value());
}
