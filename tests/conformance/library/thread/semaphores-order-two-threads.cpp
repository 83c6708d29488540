// std: c++20
// what it asks: Do semaphores make two threads take turns and count permits?
#include <semaphore>
#include <thread>

void observe(long long value);

int main() {
    std::binary_semaphore full(0), empty(1);
    int slot = 0, received = 0;
    std::thread consumer([&] {
        for (int i = 0; i < 4; ++i) {
            full.acquire();
            received = received * 10 + slot;
            empty.release();
        }
    });
    for (int i = 2; i <= 5; ++i) {
        empty.acquire();
        slot = i;
        full.release();
    }
    consumer.join();
    observe(received);
    std::counting_semaphore<8> permits(2);
    permits.release(3);
    int got = 10;
    for (; got < 15; ++got) permits.acquire();
    observe(permits.try_acquire() ? got + 100 : got);
}
