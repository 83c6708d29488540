// what it asks: Do lower_bound, upper_bound and equal_range find the neighbours of a key?
#include <iterator>
#include <map>

void observe(long long value);

int main() {
    std::map<int, char> bins{{0, 'a'}, {10, 'b'}, {20, 'c'}, {30, 'd'}};
    observe(bins.lower_bound(10)->first);
    observe(bins.upper_bound(10)->first);
    observe(std::prev(bins.upper_bound(27))->second - 'a' + 100);
    auto range = bins.equal_range(15);
    observe(range.first->first + std::distance(range.first, range.second));
    observe(bins.lower_bound(31) == bins.end() ? 4 : 5);
}
