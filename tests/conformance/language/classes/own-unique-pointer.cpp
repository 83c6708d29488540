// what it asks: Does a self-made unique pointer free exactly once over moves, reset and release?
#include <utility>

void observe(long long value);

static int freed = 0;
struct Item {
    int v;
    ~Item() { freed += v; }
};
class Owner {
    Item* p_;
public:
    explicit Owner(Item* p = nullptr) : p_(p) {}
    Owner(Owner&& o) noexcept : p_(o.release()) {}
    Owner& operator=(Owner&& o) noexcept {
        reset(o.release());
        return *this;
    }
    ~Owner() { delete p_; }
    Item* release() { return std::exchange(p_, nullptr); }
    void reset(Item* p = nullptr) { delete std::exchange(p_, p); }
    Item* operator->() const { return p_; }
    explicit operator bool() const { return p_ != nullptr; }
};

int main() {
    {
        Owner a(new Item{1}), b(new Item{20});
        a = std::move(b);
        observe(freed);
        observe(a->v + (b ? 1000 : 0));
        Owner c(std::move(a));
        c.reset(new Item{300});
        observe(freed);
    }
    observe(freed);
}
