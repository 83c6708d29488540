// what it asks: Does a stateful allocator carve a container's elements out of its arena?
#include <cstddef>
#include <vector>

void observe(long long value);

struct Arena {
    alignas(16) unsigned char bytes[1024];
    std::size_t used = 0;
    int requests = 0;
};
template <class T>
struct ArenaAllocator {
    using value_type = T;
    Arena* arena;
    explicit ArenaAllocator(Arena& a) : arena(&a) {}
    template <class U>
    ArenaAllocator(const ArenaAllocator<U>& o) : arena(o.arena) {}
    T* allocate(std::size_t n) {
        T* p = reinterpret_cast<T*>(arena->bytes + arena->used);
        arena->used += (n * sizeof(T) + 15) / 16 * 16;
        ++arena->requests;
        return p;
    }
    void deallocate(T*, std::size_t) {}
    bool operator==(const ArenaAllocator& o) const { return arena == o.arena; }
    bool operator!=(const ArenaAllocator& o) const { return arena != o.arena; }
};
int main() {
    Arena arena;
    std::vector<int, ArenaAllocator<int>> v{ArenaAllocator<int>(arena)};
    v.reserve(5);
    for (int i = 0; i < 5; ++i) v.push_back(i + 3);
    std::vector<int, ArenaAllocator<int>> w(v.begin(), v.end(), v.get_allocator());
    observe(arena.used >= 2 * 5 * sizeof(int) ? 45 : 46);
    observe(arena.requests);
    w[4] = 60;
    observe(v[4] * 100 + w[4]);
}
