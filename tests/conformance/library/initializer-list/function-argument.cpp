// what it asks: Does a braced list passed to a function carry its size and elements?
#include <algorithm>
#include <initializer_list>

void observe(long long value);

static int join(std::initializer_list<int> l, int base = 10) {
    int n = 0;
    for (auto it = l.begin(); it != l.end(); ++it) n = n * base + *it;
    return n;
}
int main() {
    observe(join({4, 2, 7}));
    observe(join({1, 0, 1, 1}, 2));
    auto list = {5, 9, 6};
    observe(static_cast<long long>(list.size()) * 100 + *(list.begin() + 1));
    observe(std::max({3, 14, 8}) + join({}));
}
