// what it asks: Do pushes and pops at both ends of a deque keep indices in order?
#include <deque>

void observe(long long value);

int main() {
    std::deque<int> d{5};
    for (int i = 1; i <= 3; ++i) {
        d.push_back(10 * i);
        d.push_front(-i);
    }
    observe(d.front());
    observe(d[3]);
    observe(d[5]);
    d.pop_front();
    d.pop_back();
    observe(d.front() * 100 + d.back());
    observe(static_cast<long long>(d.size()));
}
