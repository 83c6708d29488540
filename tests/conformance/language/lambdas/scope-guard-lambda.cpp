// what it asks: Does a guard that holds a lambda run it once at scope exit, unless dismissed?
#include <utility>

void observe(long long value);

template <class F> class Guard {
    F f_;
    bool armed_ = true;
public:
    explicit Guard(F f) : f_(std::move(f)) {}
    Guard(const Guard&) = delete;
    Guard& operator=(const Guard&) = delete;
    ~Guard() {
        if (armed_) f_();
    }
    void dismiss() { armed_ = false; }
};

int main() {
    int trail = 7;
    {
        Guard g([&trail] { trail = trail * 10 + 1; });
        trail += 2;
    }
    observe(trail);
    {
        Guard a([&trail] { trail = trail * 10 + 2; });
        Guard b([&trail] { trail = trail * 10 + 3; });
        Guard c([&trail] { trail = trail * 10 + 4; });
        c.dismiss();
    }
    observe(trail);
}
