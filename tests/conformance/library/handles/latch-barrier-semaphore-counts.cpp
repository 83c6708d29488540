// std: c++20
// what it asks: Latches, barriers and semaphores let through whom they must.
#include <barrier>
#include <latch>
#include <semaphore>
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::latch ready(2);
    int a = 0, b = 0;
    std::thread one([&] {
        a = 4;
        ready.count_down();
    });
    std::thread two([&] {
        b = 5;
        ready.count_down();
    });
    ready.wait();
    one.join();
    two.join();
    observe(a * 10 + b);
    std::counting_semaphore<4> slots(2);
    slots.acquire();
    observe(slots.try_acquire() ? 1 : 2);
    slots.release(2);
    slots.acquire();
    std::binary_semaphore go(0);
    int got = 0;
    std::thread waiter([&] {
        go.acquire();
        got = 7;
    });
    go.release();
    waiter.join();
    observe(got);
}
