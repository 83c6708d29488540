// what it asks: Do insert and erase in the middle of a deque move the right elements?
#include <deque>

void observe(long long value);

int main() {
    std::deque<int> d{1, 2, 3, 4, 5, 6};
    d.insert(d.begin() + 2, 2, 50);
    observe(d[3]);
    observe(d[4]);
    auto it = d.erase(d.begin(), d.begin() + 3);
    observe(*it);
    d.emplace_front(8);
    d.resize(3);
    observe(d[0] * 10000 + d[1] * 100 + d[2]);
}
