// what it asks: Does a registry of callbacks run all of them, in order, with their captures?
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

void observe(long long value);

struct Events {
    std::map<std::string, std::vector<std::function<void(int)>>> handlers;
    void on(const std::string& name, std::function<void(int)> f) { handlers[name].push_back(std::move(f)); }
    int fire(const std::string& name, int value) {
        int n = 0;
        for (auto& f : handlers[name]) {
            f(value);
            ++n;
        }
        return n;
    }
};
int main() {
    Events events;
    int trace = 0, sum = 0;
    events.on("copy", [&trace](int v) { trace = trace * 10 + v; });
    events.on("copy", [&sum](int v) { sum += v * 100; });
    events.on("sync", [&](int v) { sum = sum / v; });
    events.on("copy", [&trace](int v) { trace = trace * 10 + v + 1; });
    observe(events.fire("copy", 3) * 7);
    observe(events.fire("nothing", 1) + 2);
    events.fire("sync", 2);
    observe(trace);
    observe(sum);
}
