// what it asks: Is a lambda stored as a member std::function called with the state it captured?
#include <functional>

void observe(long long value);

struct Task {
    int weight;
    std::function<int(int)> run;
};

int main() {
    int scale = 3;
    Task tasks[3] = {
        {1, [scale](int v) { return v * scale; }},
        {2, [&scale](int v) { return v + scale; }},
        {4, nullptr},
    };
    scale = 20;
    tasks[2].run = tasks[0].run;
    observe(tasks[0].run(5));
    observe(tasks[1].run(5));
    int total = 0;
    for (const Task& t : tasks) {
        total += t.weight * t.run(10);
    }
    observe(total);
}
