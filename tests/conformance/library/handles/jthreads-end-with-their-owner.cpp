// std: c++20
// what it asks: A jthread in a class is asked to stop and joined at the class's end.
#include <atomic>
#include <stop_token>
#include <thread>
#include <utility>

void observe(long long value);

class Poller {
public:
    explicit Poller(int& out) : thread([&out](std::stop_token token) {
        while (!token.stop_requested()) std::this_thread::yield();
        out += 5;
    }) {}

private:
    std::jthread thread;
};

int main() {
    int done = 1;
    {
        Poller poller(done);
    }
    observe(done);
    std::atomic<int> ticks{0};
    {
        std::jthread worker([&] { ticks += 3; });
    }
    observe(ticks.load());
    std::jthread late([&] { ticks.store(40); });
    late.join();
    observe(ticks);
}
