// what it asks: Does call_once run its function exactly once over all threads?
#include <mutex>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::once_flag flag;
    int inits = 0;
    std::vector<int> seen(4, 0);
    std::vector<std::thread> pool;
    for (int t = 0; t < 4; ++t)
        pool.emplace_back([&, t] {
            std::call_once(flag, [&inits] { inits += 9; });
            seen[t] = inits + t;
        });
    for (auto& t : pool) t.join();
    observe(inits);
    observe(seen[0] * 100 + seen[3]);
    std::call_once(flag, [&inits] { inits = -1; });
    observe(inits + 40);
}
