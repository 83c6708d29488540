// what it asks: Is a friend defined in the class found only through an argument of that class?
void observe(long long value);

static int describe(double v) { return static_cast<int>(v) + 500; }

class Meter {
    int v_;
public:
    explicit Meter(int v) : v_(v) {}
    operator double() const { return v_; }
    friend int describe(const Meter& m) { return m.v_ * 3; }
};

int main() {
    Meter m(14);
    observe(describe(m));
    observe(describe(static_cast<double>(m)));
    observe(describe(2.5));
}
