// what it asks: Does a move leave the source null and the pointee alive?
#include <memory>
#include <utility>

void observe(long long value);

static int take(std::unique_ptr<int> p) { return *p + 1; }
int main() {
    auto p = std::make_unique<int>(41);
    std::unique_ptr<int> q = std::move(p);
    observe(p ? 2 : 3);
    observe(*q);
    *q = 50;
    observe(take(std::move(q)));
    observe(q == nullptr ? 8 : 9);
}
