// what it asks: Does a consumer waiting on a condition take all items in the order produced?
#include <condition_variable>
#include <mutex>
#include <queue>
#include <thread>

void observe(long long value);

int main() {
    std::mutex m;
    std::condition_variable ready;
    std::queue<int> items;
    bool done = false;
    int order = 0, taken = 0;
    std::thread consumer([&] {
        std::unique_lock<std::mutex> lock(m);
        while (true) {
            ready.wait(lock, [&] { return done || !items.empty(); });
            if (items.empty()) break;
            order = order * 10 + items.front();
            items.pop();
            ++taken;
        }
    });
    for (int i = 1; i <= 5; ++i) {
        std::lock_guard<std::mutex> lock(m);
        items.push(i);
        ready.notify_one();
    }
    {
        std::lock_guard<std::mutex> lock(m);
        done = true;
    }
    ready.notify_one();
    consumer.join();
    observe(order);
    observe(taken);
}
