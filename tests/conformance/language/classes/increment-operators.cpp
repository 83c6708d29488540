// what it asks: Do overloaded prefix and postfix increments differ in what they return?
void observe(long long value);

struct Tick {
    int n = 0;
    Tick& operator++() {
        n += 1;
        return *this;
    }
    Tick operator++(int) {
        Tick old = *this;
        n += 10;
        return old;
    }
};

int main() {
    Tick t;
    observe((++t).n);
    observe((t++).n);
    observe(t.n);
    ++(++t);
    observe(t.n);
    Tick copy = t++;
    observe(copy.n * 100 + t.n);
}
