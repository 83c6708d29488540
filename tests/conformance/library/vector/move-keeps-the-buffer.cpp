// what it asks: Does move construction hand over the very buffer, with its elements?
#include <utility>
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> source{4, 8, 15, 16};
    const int* before = source.data();
    std::vector<int> target = std::move(source);
    source = {1};
    observe(target.data() == before ? 42 : 24);
    observe(target[2]);
    observe(static_cast<long long>(target.size() * 10 + source.size()));
}
