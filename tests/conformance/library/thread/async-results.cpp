// what it asks: Do futures of async calls give each its own result?
#include <functional>
#include <future>
#include <numeric>
#include <vector>

void observe(long long value);

static int block_sum(const std::vector<int>& v, int begin, int end) {
    return std::accumulate(v.begin() + begin, v.begin() + end, 0);
}
int main() {
    std::vector<int> v(40);
    std::iota(v.begin(), v.end(), 1);
    std::vector<std::future<int>> parts;
    for (int b = 0; b < 4; ++b)
        parts.push_back(std::async(std::launch::async, block_sum, std::cref(v), b * 10, b * 10 + 10));
    int first = parts[0].get();
    int total = first;
    for (std::size_t i = 1; i < parts.size(); ++i) total = total * 2 + parts[i].get();
    observe(first);
    observe(total);
    observe(parts[3].valid() ? 7 : 8);
}
