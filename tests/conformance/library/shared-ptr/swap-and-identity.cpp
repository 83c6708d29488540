// what it asks: Do swap and == on shared_ptr act on which object is owned, not on its value?
#include <memory>
#include <utility>

void observe(long long value);

int main() {
    auto a = std::make_shared<int>(3);
    auto b = std::make_shared<int>(3);
    auto c = a;
    observe(a == b ? 10 : 20);
    observe(a == c ? 10 : 20);
    *b = 8;
    std::swap(a, b);
    observe(*a * 10 + *c);
    observe(b == c ? 10 : 20);
    observe(a.use_count() * 10 + b.use_count());
}
