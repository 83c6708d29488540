// what it asks: Do the free begin, end, size, data and empty serve arrays and containers alike?
#include <iterator>
#include <string>
#include <vector>

void observe(long long value);

template <class C>
static int last_times_size(const C& c) {
    return static_cast<int>(*(std::end(c) - 1)) * static_cast<int>(std::size(c));
}
int main() {
    int raw[] = {4, 5, 6};
    std::vector<int> v{7, 8};
    observe(last_times_size(raw));
    observe(last_times_size(v));
    *std::begin(raw) = 40;
    observe(raw[0] + std::data(v)[1]);
    v.clear();
    observe(std::empty(v) ? 12 : 13);
    observe(std::cend(raw) - std::cbegin(raw));
}
