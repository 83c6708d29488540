#include <deque>
#include <limits>
#include <cstddef>
void observe(long long value);
template <class T>
class Q {
public:
    explicit Q(std::size_t limit = std::numeric_limits<std::size_t>::max()) : limit_(limit) {}
    bool room() { return q_.size() < limit_; }
    void push(T v) { q_.push_back(v); }
private:
    std::size_t limit_;
    std::deque<T> q_;
};
int main() {
    Q<int> q;
    observe(q.room());
    q.push(1);
    observe(q.room());
    Q<int> p(1);
    observe(p.room());
    p.push(1);
    observe(p.room());
    std::size_t m = std::numeric_limits<std::size_t>::max();
    observe(m > 5);
    observe(m == (std::size_t)-1);
    std::size_t big = static_cast<std::size_t>(-1);
    observe(big > 5);
    unsigned u = 0xffffffffu;
    observe(u > 5);
    return 0;
}
