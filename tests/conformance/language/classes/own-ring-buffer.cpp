// what it asks: Does a ring buffer with template capacity overwrite and read in first-in first-out order?
void observe(long long value);

template <class T, int N> class Ring {
    T d_[N] = {};
    int head_ = 0, count_ = 0;
public:
    bool push(const T& v) {
        if (count_ == N) return false;
        d_[(head_ + count_++) % N] = v;
        return true;
    }
    T pop() {
        T v = d_[head_];
        head_ = (head_ + 1) % N;
        --count_;
        return v;
    }
    int size() const { return count_; }
};

int main() {
    Ring<int, 4> r;
    int accepted = 0;
    for (int i = 1; i <= 6; ++i) accepted += r.push(i * 10) ? 1 : 0;
    observe(accepted);
    observe(r.pop());
    r.push(77);
    r.pop();
    r.pop();
    observe(r.pop());
    observe(r.pop());
    observe(r.size() + 30);
}
