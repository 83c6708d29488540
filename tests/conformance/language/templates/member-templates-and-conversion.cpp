// what it asks: Does a converting constructor template accept other instantiations and not replace the copy?
void observe(long long value);

template <class T> struct Scalar {
    T v;
    int how = 1;
    explicit Scalar(T x) : v(x) {}
    template <class U> Scalar(const Scalar<U>& o) : v(static_cast<T>(o.v)), how(o.how + 10) {}
    Scalar(const Scalar& o) : v(o.v), how(o.how + 100) {}
    Scalar& operator=(const Scalar&) = default;
};

int main() {
    Scalar<double> d(3.75);
    Scalar<int> i = d;
    observe(i.v * 1000 + i.how);
    Scalar<int> j = i;
    observe(j.how);
    Scalar<double> back(j);
    observe(static_cast<int>(back.v * 10));
    back = d;
    observe(static_cast<int>(back.v * 100) + back.how);
}
