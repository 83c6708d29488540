// what it asks: Do durations of mixed units add, compare, divide and scale?
#include <chrono>

void observe(long long value);

int main() {
    using namespace std::chrono_literals;
    auto total = 2s + 350ms;
    observe(total.count());
    total -= 1s;
    total *= 2;
    observe(total.count());
    observe(1500ms / 400ms);
    observe((1500ms % 400ms).count());
    observe((90s < 2min ? 10 : 20) + (60s == 1min ? 1 : 2));
}
