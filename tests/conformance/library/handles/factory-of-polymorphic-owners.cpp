// what it asks: Objects made by a factory table behave by their own class and end in order.
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

void observe(long long value);

static int ended = 0;

struct Stage {
    virtual ~Stage() { ended += 1; }
    virtual int run(int x) = 0;
};
struct Scale : Stage {
    int by;
    explicit Scale(int b) : by(b) {}
    int run(int x) override { return x * by; }
};
struct Shift : Stage {
    int by;
    explicit Shift(int b) : by(b) {}
    ~Shift() override { ended += 10; }
    int run(int x) override { return x + by; }
};

int main() {
    std::map<std::string, std::function<std::unique_ptr<Stage>(int)>> factory;
    factory["scale"] = [](int by) { return std::make_unique<Scale>(by); };
    factory["shift"] = [](int by) -> std::unique_ptr<Stage> { return std::make_unique<Shift>(by); };
    std::vector<std::unique_ptr<Stage>> stages;
    stages.push_back(factory["scale"](3));
    stages.push_back(factory.at("shift")(4));
    stages.push_back(factory["scale"](2));
    int x = 5;
    for (const auto& stage : stages) x = stage->run(x);
    observe(x);
    stages.erase(stages.begin() + 1);
    observe(ended);
    observe(stages[1]->run(7));
    stages.clear();
    observe(ended);
}
