// what it asks: Does data written before a release store show after the acquire load that sees it?
#include <atomic>
#include <thread>

void observe(long long value);

int main() {
    int payload = 1;
    std::atomic<int> flag(0);
    std::atomic<bool> stopped(false);
    std::thread producer([&] {
        payload = 77;
        flag.store(4, std::memory_order_release);
        while (!stopped.load()) std::this_thread::yield();
        payload += 100;
    });
    while (flag.load(std::memory_order_acquire) != 4) std::this_thread::yield();
    observe(payload);
    stopped = true;
    producer.join();
    observe(payload);
}
