// std: c++17
// what it asks: Do braces become an object of the class of the parameter they are handed to?
#include <utility>

void observe(long long value);

struct Point {
    int x, y;
};

template <class A, class B>
struct Two {
    A a;
    B b;
};

int of_point(const Point& p) { return p.x * 10 + p.y; }
int of_pair(const std::pair<int, int>& p) { return p.first * 10 + p.second; }
int of_nested(std::pair<int, Point> p) { return p.first * 100 + p.second.x * 10 + p.second.y; }
int of_two(const Two<int, int>& t) { return t.a * 10 + t.b; }

template <class K, class V>
struct Shelf {
    int last = 0;
    void put(const std::pair<K, V>& it) { last = it.first * 10 + it.second; }
    void lay(const Two<K, V>& it) { last = it.a * 10 + it.b; }
};

template <class V>
struct Row {
    int last = 0;
    void put(int key, const V& it) { last = key * 100 + it.x * 10 + it.y; }
    void both(const std::pair<int, V>& it) { last = it.first * 100 + it.second.x * 10 + it.second.y; }
};

int main() {
    observe(of_point({1, 2}));
    observe(of_pair({3, 4}));
    observe(of_nested({5, {6, 7}}));
    observe(of_nested({5, Point{6, 8}}));
    observe(of_two({8, 9}));
    Shelf<int, int> shelf;
    shelf.put({1, 3});
    observe(shelf.last);
    shelf.lay({1, 4});
    observe(shelf.last);
    Row<Point> row;
    row.put(1, {2, 3});
    observe(row.last);
    row.both({4, {5, 6}});
    observe(row.last);
    row.both({4, Point{5, 7}});
    observe(row.last);
}
