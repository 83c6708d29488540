// std: c++20
// what it asks: Does atomic wait return only once the value has changed?
#include <atomic>
#include <thread>

void observe(long long value);

int main() {
    std::atomic<int> stage(0);
    int value = 3;
    std::thread t([&] {
        stage.wait(0);
        value = value * 10 + stage.load();
        stage = 9;
        stage.notify_one();
    });
    value = 4;
    stage.store(2);
    stage.notify_one();
    stage.wait(2);
    observe(stage);
    observe(value);
    t.join();
}
