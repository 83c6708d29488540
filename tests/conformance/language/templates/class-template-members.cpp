// what it asks: Are member functions of a class template instantiated with its own type and constant?
void observe(long long value);

template <class T> class Accumulator {
    T sum_{};
    int n_ = 0;
public:
    void add(T v) {
        sum_ += v;
        ++n_;
    }
    T mean() const { return n_ ? sum_ / n_ : T(-1); }
    template <class U> U as(U scale) const { return static_cast<U>(sum_ * scale); }
};

int main() {
    Accumulator<int> a;
    Accumulator<double> b;
    for (int i = 1; i <= 4; ++i) {
        a.add(i);
        b.add(i);
    }
    observe(a.mean());
    observe(static_cast<int>(b.mean() * 100));
    observe(a.as<int>(7));
    observe(b.as(3));
    observe(Accumulator<short>().mean());
}
