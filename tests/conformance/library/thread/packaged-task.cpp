// what it asks: Does a packaged_task run when called, here or in a thread, and fill its future?
#include <future>
#include <thread>
#include <utility>

void observe(long long value);

int main() {
    int calls = 0;
    auto body = [&calls](int x, int y) {
        ++calls;
        return x * 10 + y;
    };
    std::packaged_task<int(int, int)> task(body);
    auto result = task.get_future();
    observe(calls + 30);
    task(4, 2);
    observe(result.get());
    task.reset();
    result = task.get_future();
    std::thread t(std::move(task), 6, 1);
    t.join();
    observe(result.get());
    observe(calls);
}
