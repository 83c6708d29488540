// what it asks: Does an own container using allocator_traits construct and destroy each element once?
#include <cstddef>
#include <memory>
#include <utility>

void observe(long long value);

namespace {
int alive = 0;
struct Tracked {
    int v;
    explicit Tracked(int x) : v(x) { ++alive; }
    Tracked(const Tracked& o) : v(o.v) { ++alive; }
    ~Tracked() { --alive; }
};
template <class T, class A = std::allocator<T>>
class Stack {
    using Traits = std::allocator_traits<A>;
    A alloc;
    std::size_t cap, n = 0;
    T* data;
public:
    explicit Stack(std::size_t c) : cap(c), data(Traits::allocate(alloc, c)) {}
    Stack(const Stack&) = delete;
    Stack& operator=(const Stack&) = delete;
    ~Stack() {
        while (n) pop();
        Traits::deallocate(alloc, data, cap);
    }
    template <class... X>
    void emplace(X&&... x) { Traits::construct(alloc, data + n++, std::forward<X>(x)...); }
    void pop() { Traits::destroy(alloc, data + --n); }
    T& top() { return data[n - 1]; }
};
}  // namespace
int main() {
    {
        Stack<Tracked> s(6);
        for (int i = 0; i < 4; ++i) s.emplace(i * 10);
        observe(alive * 100 + s.top().v);
        s.pop();
        s.emplace(s.top());
        observe(alive * 100 + s.top().v);
    }
    observe(alive + 8);
}
