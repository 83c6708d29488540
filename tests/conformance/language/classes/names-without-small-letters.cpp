// what it asks: Are constructors and methods of a class those they are where its name has no small letter, as macros have?
void observe(long long value);

template <class T> struct TA {
    int n;
    TA(int m) : n(m) {}
    TA(int m, T more) : n(m + static_cast<int>(more)) {}
};
struct TI : TA<int> {
    int extra = 0;
    TI(int m) : TA<int>(m) {}
    TI(int m, int k) : TA<int>(m, k), extra(k) {}
};
struct FFT {
    int n = 1;
    FFT() { n = 2; }
    FFT(int m)
    {
        n = m;
    }
    explicit FFT(int m, int k) { n = m * k; }
    ~FFT() { observe(n); }
};
class RNG {
  public:
    RNG(int seed);
    RNG(const RNG &other) : state_(other.state_ + 1) {}
    int next() { return state_++; }

  private:
    int state_;
};
RNG::RNG(int seed) : state_(seed) {}

int main() {
    TI one(4), two(4, 3);
    observe(one.n * 100 + two.n * 10 + two.extra);
    {
        FFT a, b(5), c(2, 3);
        observe(a.n * 100 + b.n * 10 + c.n);
    }
    RNG rng(7);
    observe(rng.next());
    RNG other(rng);
    observe(other.next());
}
