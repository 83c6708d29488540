#include <deque>
#include <vector>
#include <queue>
#include <limits>
#include <cstddef>
void observe(long long value);
struct H { std::size_t limit = std::numeric_limits<std::size_t>::max(); std::deque<int> q; bool room() { return q.size() < limit; } };
template <class T> struct G { std::size_t limit = std::numeric_limits<std::size_t>::max(); std::vector<T> q; bool room() { return q.size() < limit; } };
int main() {
    std::size_t m = std::numeric_limits<std::size_t>::max();
    std::deque<int> d;
    observe(d.size() < m);
    std::vector<int> v;
    observe(v.size() < m);
    std::queue<int> w;
    observe(w.size() < m);
    H h;
    observe(h.room());
    G<int> g;
    observe(g.room());
    return 0;
}
