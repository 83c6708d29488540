// what it asks: Does a thread that was moved, swapped or joined leave an empty handle?
#include <thread>
#include <utility>
#include <vector>
void observe(long long value);

static std::thread start(int& out, int v) {
    return std::thread([&out, v] { out = v; });
}

int main() {
    int a = 0, b = 0, c = 0;
    std::thread t;
    observe(t.joinable() ? 1 : 2);
    t = start(a, 4);
    observe(t.joinable() ? 1 : 2);
    std::thread u = std::move(t);
    observe((t.joinable() ? 10 : 20) + (u.joinable() ? 1 : 2));
    std::swap(t, u);
    observe((t.joinable() ? 10 : 20) + (u.joinable() ? 1 : 2));
    u = start(b, 50);
    u.swap(t);
    u.join();
    observe(a);
    observe(u.joinable() ? 1 : 2);
    t.join();
    observe(b);
    std::vector<std::thread> pool;
    pool.push_back(start(c, 600));
    pool[0].join();
    observe(c + (pool[0].joinable() ? 1 : 2));
}
