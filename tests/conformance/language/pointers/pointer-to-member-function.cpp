// what it asks: Does a pointer to member function call the chosen member, also virtually?
void observe(long long value);

struct Base {
    virtual ~Base() = default;
    virtual int value(int k) const { return k + 1; }
    int twice(int k) const { return 2 * k; }
};
struct Derived : Base {
    int value(int k) const override { return k + 100; }
};

int main() {
    int (Base::*m)(int) const = &Base::value;
    Base b;
    Derived d;
    const Base* p = &d;
    observe((b.*m)(5));
    observe((p->*m)(5));
    m = &Base::twice;
    observe((p->*m)(5));
}
