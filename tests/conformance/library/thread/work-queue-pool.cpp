// what it asks: Does a small pool class run every task before its destructor returns?
#include <condition_variable>
#include <functional>
#include <mutex>
#include <queue>
#include <thread>
#include <utility>
#include <vector>

void observe(long long value);

class Pool {
    std::mutex m;
    std::condition_variable cv;
    std::queue<std::function<void()>> tasks;
    std::vector<std::thread> workers;
    bool stop = false;
    void run() {
        for (;;) {
            std::unique_lock<std::mutex> lock(m);
            cv.wait(lock, [this] { return stop || !tasks.empty(); });
            if (tasks.empty()) return;
            auto task = std::move(tasks.front());
            tasks.pop();
            lock.unlock();
            task();
        }
    }
public:
    explicit Pool(int n) { for (int i = 0; i < n; ++i) workers.emplace_back([this] { run(); }); }
    void submit(std::function<void()> f) {
        { std::lock_guard<std::mutex> lock(m); tasks.push(std::move(f)); }
        cv.notify_one();
    }
    ~Pool() {
        { std::lock_guard<std::mutex> lock(m); stop = true; }
        cv.notify_all();
        for (auto& w : workers) w.join();
    }
};
int main() {
    std::vector<int> out(8, 0);
    { Pool pool(2); for (int i = 0; i < 8; ++i) pool.submit([&out, i] { out[i] = i * 7; }); }
    int sum = 0;
    for (int x : out) sum += x;
    observe(sum);
    observe(out[7]);
}
