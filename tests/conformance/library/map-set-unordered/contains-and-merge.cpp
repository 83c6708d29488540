// std: c++20
// what it asks: Do contains and merge tell and move the keys that are not there yet?
#include <map>
#include <set>

void observe(long long value);

int main() {
    std::set<int> a{1, 2, 3};
    std::set<int> b{2, 3, 4, 5};
    a.merge(b);
    observe(static_cast<long long>(a.size() * 10 + b.size()));
    observe(a.contains(5) ? 6 : 7);
    observe(b.contains(5) ? 6 : 7);
    std::map<int, int> m{{1, 1}, {2, 4}, {3, 9}};
    auto gone = std::erase_if(m, [](const auto& e) { return e.second > 3; });
    observe(static_cast<long long>(gone) + (m.contains(2) ? 50 : 60));
}
