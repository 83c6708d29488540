// std: c++20
// what it asks: Does a jthread join at the end of its scope?
#include <thread>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> out(3, 1);
    {
        std::vector<std::jthread> pool;
        for (int i = 0; i < 3; ++i) pool.emplace_back([&out, i](int k) { out[i] += k * i; }, 20);
    }
    observe(out[0]);
    observe(out[2]);
    int late = 5;
    { std::jthread t([&late] { late *= 9; }); }
    observe(late);
}
