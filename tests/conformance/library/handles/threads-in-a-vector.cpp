// what it asks: Threads in a vector are joined one by one, and what they did is there.
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

void observe(long long value);

void fill(std::vector<int>& out, int index) { out[index] = (index + 1) * 10; }

int main() {
    std::vector<int> out(3);
    std::vector<std::thread> workers;
    for (int i = 0; i < 3; ++i) workers.emplace_back(fill, std::ref(out), i);
    for (auto& worker : workers) worker.join();
    observe(out[0] + out[2]);
    std::mutex mutex;
    int total = 0;
    {
        std::vector<std::thread> adders;
        for (int i = 1; i <= 2; ++i)
            adders.push_back(std::thread([&, i] {
                std::scoped_lock lock(mutex);
                total += i;
            }));
        for (auto& it : adders)
            if (it.joinable()) it.join();
    }
    observe(total);
    observe(workers.size());
    observe(workers[0].joinable() ? 1 : 2);
}
