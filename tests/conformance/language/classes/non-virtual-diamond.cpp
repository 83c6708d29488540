// what it asks: Does a non-virtual diamond keep two separate copies of the common base?
void observe(long long value);

struct Counter {
    int n = 1;
    void bump() { n *= 3; }
};
struct In : Counter {};
struct Out : Counter {};
struct Pipe : In, Out {
    int both() const { return In::n * 100 + Out::n; }
};

int main() {
    Pipe p;
    p.In::bump();
    p.In::bump();
    p.Out::bump();
    observe(p.both());
    Out& o = p;
    o.n = 50;
    observe(p.both());
    observe(static_cast<int>(sizeof(Pipe) / sizeof(int)) + 5);
}
