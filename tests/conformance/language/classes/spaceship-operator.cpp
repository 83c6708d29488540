// std: c++20
// what it asks: Does a defaulted three-way comparison compare the members in order?
#include <compare>

void observe(long long value);

struct Key {
    int group;
    int index;
    auto operator<=>(const Key&) const = default;
};
struct ByLast {
    int v;
    std::strong_ordering operator<=>(const ByLast& o) const { return v % 10 <=> o.v % 10; }
    bool operator==(const ByLast& o) const { return v % 10 == o.v % 10; }
};

int main() {
    Key a{1, 9}, b{2, 0}, c{1, 9};
    observe((a < b ? 10 : 20) + (a == c ? 1 : 2));
    observe((a >= c ? 30 : 40) + (b != c ? 3 : 4));
    ByLast x{91}, y{15}, z{25};
    observe((x < y ? 50 : 60) + (y == z ? 5 : 6));
    observe((x <=> y) > 0 ? 70 : 80);
}
