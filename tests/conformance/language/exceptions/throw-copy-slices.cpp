// what it asks: Does throwing a base reference anew slice the object, while a plain rethrow keeps its dynamic type?
void observe(long long value);

struct Base {
    virtual ~Base() = default;
    virtual int code() const { return 10; }
};
struct Derived : Base {
    int extra = 5;
    int code() const override { return 200 + extra; }
};
static int pass(bool plain) {
    try {
        try {
            throw Derived();
        } catch (const Base& b) {
            if (plain) {
                throw;
            }
            throw b;
        }
    } catch (const Derived& d) {
        return d.code() + 1000;
    } catch (const Base& b) {
        return b.code();
    }
}

int main() {
    observe(pass(true));
    observe(pass(false));
    int viaPointer = 0;
    Derived d;
    d.extra = 33;
    try {
        throw static_cast<Base*>(&d);
    } catch (Base* p) {
        viaPointer = p->code();
    }
    observe(viaPointer);
}
