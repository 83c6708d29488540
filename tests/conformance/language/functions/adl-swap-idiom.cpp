// what it asks: Does the using std::swap idiom take the type's own swap where one exists?
#include <utility>

void observe(long long value);

namespace lib {
struct Handle { int id; int swaps; };
void swap(Handle& a, Handle& b) {
    int t = a.id;
    a.id = b.id;
    b.id = t;
    ++a.swaps;
    ++b.swaps;
}
}
template <class T> void exchange(T& a, T& b) {
    using std::swap;
    swap(a, b);
}

int main() {
    lib::Handle a{1, 0}, b{2, 10};
    exchange(a, b);
    observe(a.id * 100 + a.swaps);
    observe(b.id * 100 + b.swaps);
    int x = 7, y = 9;
    exchange(x, y);
    observe(x * 10 + y);
}
