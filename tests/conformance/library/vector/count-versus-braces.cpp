// what it asks: Does vector(n, value) differ from vector{n, value}?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> counted(5, 9);
    std::vector<int> listed{5, 9};
    std::vector<int> sized(4);
    observe(static_cast<long long>(counted.size()));
    observe(static_cast<long long>(listed.size()));
    observe(listed[0] + counted[4]);
    observe(static_cast<long long>(sized.size()) + sized[3]);
}
