// what it asks: Does an atomic counter lose no increment, and hand out each ticket once?
#include <atomic>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::atomic<int> next(0), sum(3);
    std::vector<int> taken(60, 0);
    std::vector<std::thread> pool;
    for (int t = 0; t < 3; ++t)
        pool.emplace_back([&] {
            for (int i = next++; i < 60; i = next++) {
                taken[i] += 2;
                sum.fetch_add(i, std::memory_order_relaxed);
            }
        });
    for (auto& t : pool) t.join();
    int marks = 0;
    for (int x : taken) marks += x;
    observe(next);
    observe(sum);
    observe(marks);
}
