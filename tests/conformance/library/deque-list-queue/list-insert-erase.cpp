// what it asks: Do list iterators stay with their elements through insert and erase?
#include <iterator>
#include <list>

void observe(long long value);

int main() {
    std::list<int> l{1, 2, 3, 4};
    auto two = std::next(l.begin());
    l.insert(two, 15);
    auto after = l.erase(std::next(two));
    l.push_front(9);
    observe(*two);
    observe(*after);
    observe(*std::prev(two));
    int digits = 0;
    for (int x : l) digits = digits * 10 + x % 10;
    observe(digits);
}
