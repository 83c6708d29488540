// what it asks: Do find, find_if, search and adjacent_find give the first place?
#include <algorithm>
#include <iterator>

void observe(long long value);

int main() {
    const int a[] = {4, 7, 1, 7, 7, 1, 9};
    const int pattern[] = {7, 1};
    auto e = std::end(a);
    observe(std::find(a, e, 7) - a);
    observe(std::find_if(a, e, [](int x) { return x > 7; }) - a);
    observe(std::search(a + 2, e, pattern, pattern + 2) - a);
    observe(std::adjacent_find(a, e) - a);
    observe(std::find_end(a, e, pattern, pattern + 2) - a + 10);
    observe(std::find(a, e, 5) == e ? 70 : 80);
}
