// what it asks: What was set up is torn down in reverse, by reverse iterators and by pop_back.
#include <algorithm>
#include <functional>
#include <iterator>
#include <vector>

void observe(long long value);

class Cleanup {
public:
    void add(std::function<void()> action) { actions.push_back(std::move(action)); }
    ~Cleanup() {
        for (auto it = actions.rbegin(); it != actions.rend(); ++it) (*it)();
    }

private:
    std::vector<std::function<void()>> actions;
};

int main() {
    int log = 0;
    {
        Cleanup cleanup;
        for (int i = 1; i <= 3; ++i) cleanup.add([&log, i] { log = log * 10 + i; });
        observe(log);
    }
    observe(log);
    std::vector<int> stack{1, 2, 3};
    int order = 0;
    while (!stack.empty()) {
        order = order * 10 + stack.back();
        stack.pop_back();
    }
    observe(order);
    std::vector<int> steps{4, 5, 6};
    std::vector<int> back(steps.rbegin(), steps.rend());
    observe(back[0] * 100 + back[1] * 10 + back[2]);
    observe(*std::prev(steps.end()));
    std::reverse(steps.begin(), steps.end());
    observe(steps.front());
    auto last = std::find(steps.rbegin(), steps.rend(), 6);
    observe(std::distance(steps.rbegin(), last));
}
