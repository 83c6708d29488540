// what it asks: Does a deep copy constructor keep the copy apart from later changes of the original?
void observe(long long value);

class Array {
    int n_;
    int* d_;
public:
    static int copies;
    explicit Array(int n) : n_(n), d_(new int[n]()) {}
    Array(const Array& o) : n_(o.n_), d_(new int[o.n_]) {
        for (int i = 0; i < n_; ++i) d_[i] = o.d_[i];
        ++copies;
    }
    Array& operator=(const Array&) = delete;
    ~Array() { delete[] d_; }
    int& operator[](int i) { return d_[i]; }
    int sum() const {
        int s = 0;
        for (int i = 0; i < n_; ++i) s += d_[i];
        return s;
    }
};
int Array::copies = 0;
static int sumOf(Array a) { a[0] = 1000; return a.sum(); }

int main() {
    Array a(3);
    a[0] = 5;
    a[2] = 6;
    Array b = a;
    a[2] = 60;
    observe(a.sum());
    observe(b.sum());
    observe(sumOf(b));
    observe(b.sum() * 10 + Array::copies);
}
