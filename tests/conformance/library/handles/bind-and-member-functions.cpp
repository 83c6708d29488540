// what it asks: Bound methods and member pointers run on the object they were given.
#include <functional>
#include <vector>

void observe(long long value);

struct Engine {
    int total = 0;
    int add(int value) { return total += value; }
    int peek() const { return total; }
};

int mix(int a, int b, int c) { return a * 100 + b * 10 + c; }

int main() {
    using namespace std::placeholders;
    Engine engine;
    auto add = std::bind(&Engine::add, &engine, _1);
    observe(add(5));
    auto fixed = std::bind(&Engine::add, &engine, 7);
    observe(fixed());
    auto swapped = std::bind(mix, _2, 4, _1);
    observe(swapped(1, 9));
    auto peek = std::mem_fn(&Engine::peek);
    observe(peek(engine));
    observe(std::invoke(&Engine::add, engine, 3));
    observe(std::invoke(&Engine::total, engine));
    observe(std::invoke(mix, 1, 2, 3));
    std::vector<std::function<int()>> calls;
    calls.push_back(std::bind(&Engine::peek, &engine));
    calls.emplace_back([&engine] { return engine.add(10); });
    int sum = 0;
    for (auto& call : calls) sum += call();
    observe(sum);
}
