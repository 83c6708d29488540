// what it asks: Does a virtual call inside a base constructor or destructor use the base's version?
void observe(long long value);

static int trail = 0;
struct Base {
    Base() { trail = trail * 10 + id(); }
    virtual ~Base() { trail = trail * 10 + id(); }
    virtual int id() const { return 1; }
    int ask() const { return id(); }
};
struct Derived : Base {
    Derived() { trail = trail * 10 + id(); }
    ~Derived() override { trail = trail * 10 + id() + 3; }
    int id() const override { return 2; }
};

int main() {
    {
        Derived d;
        observe(trail);
        trail = d.ask();
        observe(trail);
    }
    observe(trail);
}
