// what it asks: Are conversion operators used implicitly for their target, and explicit bool in conditions?
void observe(long long value);

class Ratio {
    int n_, d_;
public:
    Ratio(int n, int d) : n_(n), d_(d) {}
    operator double() const { return static_cast<double>(n_) / d_; }
    explicit operator int() const { return n_ / d_ + 100; }
};
struct Status {
    int code;
    explicit operator bool() const { return code == 0; }
};

int main() {
    Ratio r(7, 2);
    double d = r;
    observe(static_cast<int>(d * 10));
    observe(static_cast<int>(r));
    observe(static_cast<int>(r + 0.25) * 7);
    Status ok{0}, bad{9};
    observe(ok ? 61 : 62);
    observe(!bad && ok ? 71 : 72);
}
