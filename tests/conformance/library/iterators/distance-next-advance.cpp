// what it asks: Do distance, next, prev and advance count positions on vectors and lists?
#include <iterator>
#include <list>
#include <vector>

void observe(long long value);

int main() {
    std::list<int> l{2, 4, 8, 16, 32};
    auto it = std::next(l.begin(), 3);
    observe(*it);
    observe(std::distance(l.begin(), it));
    std::advance(it, -2);
    observe(*it);
    std::vector<int> v(l.begin(), l.end());
    observe(*std::prev(v.end(), 2) + *std::next(v.begin()));
    observe(std::distance(v.begin() + 1, v.end()));
}
