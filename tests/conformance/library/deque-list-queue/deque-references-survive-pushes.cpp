// what it asks: Does a reference into a deque stay good across pushes at the ends?
#include <deque>

void observe(long long value);

int main() {
    std::deque<int> d{1, 2, 3};
    int& middle = d[1];
    for (int i = 0; i < 1000; ++i) {
        d.push_front(i);
        d.push_back(-i);
    }
    middle = 77;
    observe(d[1001]);
    observe(d[1000] * 10 + d[1002]);
    observe(static_cast<long long>(d.size()));
}
