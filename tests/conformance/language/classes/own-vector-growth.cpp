// what it asks: Does a self-made growing array keep its elements and copy them as often as it must?
void observe(long long value);

class IntList {
    int* d_ = nullptr;
    int n_ = 0, cap_ = 0;
public:
    int moved = 0;
    IntList() = default;
    IntList(const IntList&) = delete;
    IntList& operator=(const IntList&) = delete;
    ~IntList() { delete[] d_; }
    void push(int v) {
        if (n_ == cap_) {
            cap_ = cap_ ? cap_ * 2 : 2;
            int* bigger = new int[cap_];
            for (int i = 0; i < n_; ++i, ++moved) bigger[i] = d_[i];
            delete[] d_;
            d_ = bigger;
        }
        d_[n_++] = v;
    }
    int pop() { return d_[--n_]; }
    int size() const { return n_; }
    int capacity() const { return cap_; }
    int operator[](int i) const { return d_[i]; }
};

int main() {
    IntList l;
    for (int i = 0; i < 20; ++i) l.push(i * i);
    observe(l[13]);
    observe(l.moved);
    observe(l.pop());
    observe(l.size() * 100 + l.capacity());
}
