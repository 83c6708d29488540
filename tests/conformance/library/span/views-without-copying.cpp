// std: c++20
// what it asks: Does a span over a vector write through to it and know its size?
#include <span>
#include <vector>

void observe(long long value);

static int drain(std::span<int> s) {
    int sum = 0;
    for (int& x : s) {
        sum += x;
        x = -x;
    }
    return sum;
}
int main() {
    std::vector<int> v{1, 2, 3, 4, 5};
    int raw[] = {10, 20, 30};
    observe(drain(v));
    observe(v[2] * -10);
    observe(drain(raw));
    observe(drain({v.data() + 1, 2}) + static_cast<int>(std::span<int>(raw).size()) * 100);
    observe(v[1] * 10 + v[3]);
}
