// std: c++20
// what it asks: Does a barrier separate phases and run its completion once in each?
#include <barrier>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    const int n = 3;
    int data[n] = {1, 2, 3}, next[n] = {0, 0, 0}, phases = 0;
    auto finish = [&]() noexcept {
        for (int i = 0; i < n; ++i) data[i] = next[i];
        ++phases;
    };
    std::barrier sync(n, finish);
    std::vector<std::thread> pool;
    for (int t = 0; t < n; ++t)
        pool.emplace_back([&, t] {
            for (int step = 0; step < 4; ++step) {
                next[t] = data[t] + data[(t + 1) % n];
                sync.arrive_and_wait();
            }
        });
    for (auto& t : pool) t.join();
    observe(phases);
    observe(data[0]);
    observe(data[1] * 100 + data[2]);
}
