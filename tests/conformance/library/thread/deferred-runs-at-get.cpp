// what it asks: Does a deferred async call run when, and only when, its result is asked for?
#include <future>

void observe(long long value);

int main() {
    int runs = 10;
    auto lazy = std::async(std::launch::deferred, [&runs](int k) { return runs += k; }, 5);
    auto never = std::async(std::launch::deferred, [&runs] { runs = -1; });
    observe(runs);
    runs = 20;
    observe(lazy.get());
    observe(runs);
    observe((lazy.valid() ? 1 : 3) * 10 + (never.valid() ? 1 : 3));
}
