// what it asks: Does an iterator that makes its values, as thrust's counting iterator, feed algorithms?
#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

void observe(long long value);

struct Counting {
    using iterator_category = std::input_iterator_tag;
    using value_type = int;
    using difference_type = std::ptrdiff_t;
    using pointer = const int*;
    using reference = int;
    int n;
    int operator*() const { return n; }
    Counting& operator++() { ++n; return *this; }
    Counting operator++(int) { return Counting{n++}; }
    bool operator==(Counting o) const { return n == o.n; }
    bool operator!=(Counting o) const { return n != o.n; }
};
int main() {
    std::vector<int> v(Counting{3}, Counting{8});
    observe(static_cast<long long>(v.size()));
    observe(v.back());
    int out[10] = {};
    std::transform(Counting{0}, Counting{10}, out, [](int i) { return i * i; });
    observe(out[7]);
    observe(std::count_if(Counting{1}, Counting{101}, [](int i) { return i % 7 == 0; }));
}
