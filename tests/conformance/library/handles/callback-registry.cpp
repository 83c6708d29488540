// what it asks: Callbacks kept in a vector of a class run for every event, with what they captured.
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

void observe(long long value);

class Events {
public:
    using Callback = std::function<void(int)>;
    int on(Callback callback) {
        callbacks.push_back(std::move(callback));
        return static_cast<int>(callbacks.size()) - 1;
    }
    void off(int index) { callbacks[index] = nullptr; }
    void fire(int value) {
        for (auto& callback : callbacks)
            if (callback) callback(value);
    }

private:
    std::vector<Callback> callbacks;
};

struct Counter {
    int sum = 0;
    void operator()(int value) { sum += value; }
};

int main() {
    Events events;
    int last = 0, total = 0;
    auto shared = std::make_shared<int>(0);
    events.on([&last](int value) { last = value; });
    int second = events.on([&total](int value) { total += value; });
    events.on([shared](int value) { *shared += 2 * value; });
    Counter counter;
    events.on(std::ref(counter));
    events.fire(3);
    events.fire(5);
    observe(last);
    observe(total);
    observe(*shared);
    observe(counter.sum);
    events.off(second);
    events.fire(10);
    observe(total);
    observe(last);
    observe(shared.use_count());
}
