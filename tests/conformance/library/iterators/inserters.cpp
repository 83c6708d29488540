// what it asks: Do back_inserter, front_inserter and inserter place what an algorithm writes?
#include <algorithm>
#include <deque>
#include <iterator>
#include <vector>

void observe(long long value);

int main() {
    const int src[] = {1, 2, 3};
    std::vector<int> v{9};
    std::copy(src, src + 3, std::back_inserter(v));
    observe(v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3]);
    std::copy(src, src + 2, std::inserter(v, v.begin() + 1));
    observe(v[0] * 1000 + v[1] * 100 + v[2] * 10 + v[3]);
    std::deque<int> d{9};
    std::copy(src, src + 3, std::front_inserter(d));
    observe(d[0] * 1000 + d[1] * 100 + d[2] * 10 + d[3]);
    observe(static_cast<long long>(v.size() * 10 + d.size()));
}
