// std: c++20
// what it asks: Does a latch let its waiter go on only after every count?
#include <atomic>
#include <latch>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::latch done(4);
    std::atomic<int> ready(0);
    std::vector<int> out(3, 0);
    std::vector<std::jthread> pool;
    observe(done.try_wait() ? 7 : 9);
    for (int i = 0; i < 3; ++i)
        pool.emplace_back([&, i] {
            out[i] = (i + 1) * 11;
            ++ready;
            done.count_down();
        });
    done.arrive_and_wait();
    observe(ready);
    observe(out[0] + out[1] + out[2]);
}
