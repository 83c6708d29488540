// what it asks: Does a moving init capture take ownership away from the outer variable?
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v = {1, 2, 3};
    auto p = std::make_unique<int>(40);
    auto f = [v = std::move(v), p = std::move(p)](int i) { return v[i] + *p; };
    observe(f(2));
    observe(v.empty() ? 17 : 71);
    observe(p == nullptr ? 23 : 32);
    v.assign(5, 9);
    observe(f(0) * 10 + static_cast<int>(v.size()));
}
