// what it asks: Do destructors run from the derived body over members in reverse to the base?
void observe(long long value);

static int trail = 0;
struct Part {
    int d;
    explicit Part(int x) : d(x) { trail = trail * 10 + d; }
    ~Part() { trail = trail * 10 + d; }
};
struct Base {
    Part p{1};
    ~Base() { trail = trail * 10 + 2; }
};
struct Derived : Base {
    Part a{3};
    Part b{4};
    ~Derived() { trail = trail * 10 + 5; }
};

int main() {
    {
        Derived d;
        observe(trail);
        trail = 0;
    }
    observe(trail);
    trail = 0;
    Derived* p = new Derived;
    p->a.d = 9;
    trail = 0;
    delete p;
    observe(trail);
}
