// what it asks: Does a vector take and give back its storage through its own allocator?
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

void observe(long long value);

namespace {
int taken = 0;
int given = 0;
template <class T>
struct Counting {
    using value_type = T;
    Counting() = default;
    template <class U>
    Counting(const Counting<U>&) {}
    T* allocate(std::size_t n) {
        ++taken;
        return static_cast<T*>(::operator new(n * sizeof(T)));
    }
    void deallocate(T* p, std::size_t) {
        ++given;
        ::operator delete(p);
    }
    bool operator==(const Counting&) const { return true; }
    bool operator!=(const Counting&) const { return false; }
};
}  // namespace
int main() {
    {
        std::vector<int, Counting<int>> v;
        v.reserve(10);
        observe(taken * 100 + given);
        for (int i = 0; i < 10; ++i) v.push_back(i * i);
        observe(taken * 100 + v[9]);
        std::vector<int, Counting<int>> w = v;
        observe(taken);
        w[9] = 0;
        observe(given * 100 + v[9] + w[8]);
    }
    observe(given * 10 + taken);
}
