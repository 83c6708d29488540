// what it asks: A promise that moves into a by-value parameter is the one its future looks at.
#include <future>
#include <utility>
#include <vector>

void observe(long long value);

static int order = 0;

int work(int id, std::promise<int> ready) {
    order = order * 10 + id;
    ready.set_value(id * 3);
    return id;
}

int main() {
    std::vector<std::future<int>> armed;
    for (int id = 1; id <= 3; ++id) {
        std::promise<int> ready;
        armed.push_back(ready.get_future());
        work(id, std::move(ready));
    }
    observe(order);
    observe(armed.size());
    observe(armed[1].get());
    int sum = 0;
    sum += armed[0].get();
    sum += armed[2].get();
    observe(sum);
}
