// what it asks: Do handles whose deleter returns slots to a pool make the pool reuse them?
#include <functional>
#include <memory>
#include <vector>

void observe(long long value);

struct Pool {
    int slots[3] = {0, 0, 0};
    std::vector<int*> free_list{&slots[2], &slots[1], &slots[0]};
    int handed_out = 0;
    using Handle = std::unique_ptr<int, std::function<void(int*)>>;
    Handle get(int value) {
        int* p = free_list.back();
        free_list.pop_back();
        *p = value;
        ++handed_out;
        return Handle(p, [this](int* q) { free_list.push_back(q); });
    }
};
int main() {
    Pool pool;
    auto a = pool.get(10);
    {
        auto b = pool.get(20);
        observe(static_cast<long long>(pool.free_list.size()) * 100 + *a + *b);
    }
    auto c = pool.get(40);
    observe(pool.slots[1]);
    observe(static_cast<long long>(pool.free_list.size()) + pool.handed_out * 10);
    a.reset();
    auto d = pool.get(80);
    observe(pool.slots[0] + *c);
}
