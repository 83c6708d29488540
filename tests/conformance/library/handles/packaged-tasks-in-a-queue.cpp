// what it asks: A queue of packaged tasks is run by a loop, and their futures have what they returned.
#include <future>
#include <queue>
#include <utility>

void observe(long long value);

int main() {
    std::queue<std::packaged_task<int()>> jobs;
    int calls = 0;
    std::packaged_task<int()> first([&calls] { return 10 + ++calls; });
    std::packaged_task<int()> second([&calls] { return 20 + ++calls; });
    auto one = first.get_future();
    auto two = second.get_future();
    jobs.push(std::move(first));
    jobs.push(std::move(second));
    observe(jobs.size());
    observe(calls);
    while (!jobs.empty()) {
        auto job = std::move(jobs.front());
        jobs.pop();
        job();
    }
    observe(calls);
    observe(one.get());
    observe(two.get());
    observe(jobs.size());
}
