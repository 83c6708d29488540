// what it asks: Do the list's own sort, merge, unique, reverse and remove_if rearrange it?
#include <list>

void observe(long long value);

static int digits(const std::list<int>& l) {
    int n = 0;
    for (int x : l) n = n * 10 + x;
    return n;
}
int main() {
    std::list<int> a{5, 1, 3, 3};
    std::list<int> b{2, 3, 9};
    a.sort();
    observe(digits(a));
    a.merge(b);
    observe(digits(a));
    a.unique();
    observe(digits(a));
    a.remove_if([](int x) { return x == 3; });
    a.reverse();
    observe(digits(a));
    observe(static_cast<long long>(b.size()) + 4);
}
