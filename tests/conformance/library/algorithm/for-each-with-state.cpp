// what it asks: Does for_each apply its function in order and return it with its state?
#include <algorithm>
#include <vector>

void observe(long long value);

struct Sum {
    int total = 0;
    int calls = 0;
    void operator()(int x) {
        total = total * 2 + x;
        ++calls;
    }
};
int main() {
    std::vector<int> v{3, 1, 2, 5};
    Sum start;
    Sum done = std::for_each(v.begin(), v.end(), start);
    observe(done.total);
    observe(done.calls * 10 + start.calls);
    std::for_each(v.begin(), v.end() - 1, [](int& x) { x += 10; });
    observe(v[2] * 10 + v[3]);
    auto it = std::for_each_n(v.begin(), 2, [](int& x) { x = -x; });
    observe(v[0] + v[1] + *it);
}
