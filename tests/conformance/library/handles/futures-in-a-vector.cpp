// what it asks: Results of tasks are collected from a vector of futures.
#include <future>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::future<int>> results;
    int base = 5;
    for (int i = 0; i < 3; ++i) results.push_back(std::async(std::launch::async, [&base, i] { return base * (i + 1); }));
    int sum = 0;
    for (auto& it : results) sum += it.get();
    observe(sum);
    std::vector<std::future<int>> deferred;
    for (int i = 0; i < 2; ++i) deferred.emplace_back(std::async(std::launch::deferred, [&base, i] { return ++base + i; }));
    observe(base);
    observe(deferred[0].get());
    observe(deferred[1].get());
    observe(base);
}
