// std: c++17
// what it asks: Does a method hide functions of its name that stand around the class, where it is only declared too?

void observe(long long value);

int work() { return 1; }
int rest() { return 2; }
int play(int n) { return n; }

struct Base {
    virtual ~Base() = default;
    virtual int work() = 0;
    int rest() { return 30; }
    int all() { return work() + rest() + play(400) + ::work(); }
};

struct Derived : Base {
    int work() override { return 1000; }
    int play(int n) { return 7 * n; }
};

int main() {
    Derived it;
    observe(it.all());
    observe(it.play(2));
    Base& base = it;
    observe(base.work());
}
