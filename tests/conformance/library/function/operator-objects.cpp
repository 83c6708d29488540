// what it asks: Do the functional operators and not_fn passed to algorithms do what they say?
#include <algorithm>
#include <functional>
#include <numeric>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> v{3, 1, 4, 1, 5};
    observe(std::accumulate(v.begin(), v.end(), 1, std::multiplies<int>()));
    std::sort(v.begin(), v.end(), std::greater<>());
    observe(v[0] * 100 + v[1] * 10 + v[2]);
    auto is_one = [](int x) { return x == 1; };
    observe(std::count_if(v.begin(), v.end(), std::not_fn(is_one)));
    std::transform(v.begin(), v.end(), v.begin(), std::negate<>());
    observe(v.front() + std::minus<int>()(10, 3) + std::plus<>()(20, 30));
}
