// what it asks: Does a chained assignment copy right to left through the returned references?
void observe(long long value);

struct Reg {
    int v;
    int writes = 0;
    explicit Reg(int x) : v(x) {}
    Reg(const Reg&) = default;
    Reg& operator=(const Reg& o) {
        v = o.v;
        ++writes;
        return *this;
    }
    Reg& operator=(int x) {
        v = x * 10;
        writes += 100;
        return *this;
    }
};

int main() {
    Reg a(1), b(2), c(3);
    a = b = c;
    observe(a.v * 10 + a.writes);
    a = 7;
    observe(a.v + a.writes);
    (b = a) = c;
    observe(b.v * 10 + b.writes);
    Reg d = b;
    observe(d.writes + 40);
}
