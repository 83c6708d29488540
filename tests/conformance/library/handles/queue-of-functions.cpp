// what it asks: Callbacks wait in a queue of std::function and run in their order.
#include <functional>
#include <queue>
#include <utility>

void observe(long long value);

class Worker {
public:
    void submit(std::function<void()> job) { jobs.push(std::move(job)); }
    int drain() {
        int ran = 0;
        while (!jobs.empty()) {
            std::function<void()> job = std::move(jobs.front());
            jobs.pop();
            job();
            ++ran;
        }
        return ran;
    }

private:
    std::queue<std::function<void()>> jobs;
};

int main() {
    Worker worker;
    int log = 0;
    for (int i = 1; i <= 3; ++i) worker.submit([&log, i] { log = log * 10 + i; });
    worker.submit([&] { worker.submit([&log] { log += 1000; }); });
    observe(log);
    observe(worker.drain());
    observe(log);
    observe(worker.drain());
}
