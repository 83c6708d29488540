// what it asks: Handlers are found by name in a map of std::function.
#include <functional>
#include <map>
#include <string>
#include <unordered_map>

void observe(long long value);

struct Device {
    int value = 3;
    void scale(int by) { value *= by; }
};

int twice(int x) { return 2 * x; }

int main() {
    std::unordered_map<std::string, std::function<int(int)>> table;
    int offset = 100;
    table["twice"] = twice;
    table.emplace("shift", [&offset](int x) { return x + offset; });
    table.insert({"square", [](int x) { return x * x; }});
    observe(table["twice"](21));
    offset = 7;
    observe(table.at("shift")(1));
    observe(table.find("square")->second(9));
    observe(table.count("cube"));
    Device device;
    std::map<int, std::function<void()>> actions{{2, [&] { device.scale(5); }}, {1, [&] { device.value += 4; }}};
    for (auto& [key, action] : actions) action();
    observe(device.value);
    if (auto it = table.find("shift"); it != table.end()) observe(it->second(3));
}
