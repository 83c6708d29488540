// what it asks: Does use_count follow copies, moves, resets and scopes?
#include <memory>
#include <utility>

void observe(long long value);

static long inside(std::shared_ptr<int> p) { return p.use_count(); }
static long by_ref(const std::shared_ptr<int>& p) { return p.use_count(); }
int main() {
    auto a = std::make_shared<int>(5);
    auto b = a;
    observe(a.use_count());
    {
        std::shared_ptr<int> c(b);
        observe(inside(c));
        observe(c.use_count());
    }
    auto d = std::move(b);
    observe(a.use_count() * 100 + b.use_count());
    observe(by_ref(d) * 10);
    long moved = inside(std::move(d));
    observe(moved * 10 + d.use_count());
}
