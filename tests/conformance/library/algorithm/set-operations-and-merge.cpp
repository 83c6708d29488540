// what it asks: Do merge, includes, set_union, set_intersection and set_difference work on sorted ranges?
#include <algorithm>
#include <iterator>
#include <vector>

void observe(long long value);

int main() {
    const std::vector<int> a{1, 3, 5, 7, 9}, b{3, 4, 5, 6};
    std::vector<int> m, u, i, d;
    std::merge(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(m));
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(u));
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(i));
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(d));
    observe(static_cast<long long>(m.size() * 10 + u.size()));
    observe(m[2] * 100 + m[4] * 10 + u[4]);
    observe(i[0] * 10 + i[1]);
    observe(d[0] * 100 + d[1] * 10 + d[2]);
    observe(std::includes(a.begin(), a.end(), i.begin(), i.end()) ? 6 : 5);
}
