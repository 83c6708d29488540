// what it asks: Do range-for and algorithms work on a class's own iterator?
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <numeric>

void observe(long long value);

struct Strided {
    const int* data;
    int count;
    int stride;
    struct iterator {
        using iterator_category = std::forward_iterator_tag;
        using value_type = int;
        using difference_type = std::ptrdiff_t;
        using pointer = const int*;
        using reference = const int&;
        const int* base = nullptr;
        int index = 0;
        int step = 1;
        reference operator*() const { return base[index * step]; }
        iterator& operator++() { ++index; return *this; }
        iterator operator++(int) { iterator old = *this; ++*this; return old; }
        bool operator==(const iterator& o) const { return index == o.index; }
        bool operator!=(const iterator& o) const { return index != o.index; }
    };
    iterator begin() const { return {data, 0, stride}; }
    iterator end() const { return {data, count, stride}; }
};
int main() {
    const int m[] = {1, 20, 300, 4, 50, 600, 7, 80, 900};
    Strided column{m + 1, 3, 3};
    int digits = 0;
    for (int x : column) digits = digits * 10 + x / 10;
    observe(digits);
    observe(std::accumulate(column.begin(), column.end(), 1));
    observe(*std::max_element(column.begin(), column.end()));
    observe(std::distance(column.begin(), std::find(column.begin(), column.end(), 50)));
}
