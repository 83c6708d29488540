// what it asks: Is a static data member shared by all objects and reachable through a static function?
void observe(long long value);

class Pool {
    static int live_;
    static int peak_;
public:
    Pool() {
        if (++live_ > peak_) peak_ = live_;
    }
    Pool(const Pool&) : Pool() {}
    ~Pool() { --live_; }
    static int report() { return live_ * 100 + peak_; }
};
int Pool::live_ = 0;
int Pool::peak_ = 2;

int main() {
    Pool a;
    observe(Pool::report());
    {
        Pool b, c(a);
        Pool d = b;
        observe(c.report());
    }
    observe(Pool::report());
}
