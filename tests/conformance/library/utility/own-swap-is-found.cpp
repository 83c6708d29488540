// what it asks: Is a type's own swap found by the two-step using std::swap call?
#include <utility>

void observe(long long value);

namespace lib {
struct Handle {
    int id;
    int generation;
};
void swap(Handle& a, Handle& b) {
    int t = a.id;
    a.id = b.id;
    b.id = t;
    a.generation += 10;
}
}  // namespace lib
template <class T>
static void exchange_both(T& a, T& b) {
    using std::swap;
    swap(a, b);
}
int main() {
    lib::Handle a{1, 5}, b{2, 6};
    exchange_both(a, b);
    observe(a.id * 100 + a.generation);
    observe(b.id * 100 + b.generation);
    std::swap(a, b);
    observe(a.id * 100 + a.generation);
    int x = 8, y = 9;
    exchange_both(x, y);
    observe(x * 10 + y);
}
