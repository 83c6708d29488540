// what it asks: Does a mutable member change in a const function while the rest stays?
void observe(long long value);

class Cache {
    int base_;
    mutable int value_ = -1;
    mutable int misses_ = 0;
public:
    explicit Cache(int b) : base_(b) {}
    int get() const {
        if (value_ < 0) {
            ++misses_;
            value_ = base_ * base_;
        }
        return value_;
    }
    void rebase(int b) {
        base_ = b;
        value_ = -1;
    }
    int misses() const { return misses_; }
};

int main() {
    Cache c(12);
    observe(c.get() + c.get());
    observe(c.misses());
    c.rebase(5);
    observe(c.get());
    observe(c.misses() * 10 + 7);
}
