// what it asks: Does reset destroy the old pointee and release not?
#include <memory>

void observe(long long value);

namespace {
int alive = 0;
struct Counted {
    int value;
    explicit Counted(int v) : value(v) { ++alive; }
    ~Counted() { --alive; }
};
}  // namespace
int main() {
    std::unique_ptr<Counted> p(new Counted(5));
    auto other = std::make_unique<Counted>(6);
    p.reset(new Counted(7));
    observe(alive * 10 + p->value);
    Counted* raw = p.release();
    observe(alive * 10 + (p ? 1 : 4));
    other.reset();
    observe(alive * 10 + raw->value);
    delete raw;
    observe(alive + 90);
}
