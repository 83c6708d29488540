// what it asks: Do iterators that a map keeps lead to their elements when a list is put in another order?
#include <iterator>
#include <list>
#include <map>
#include <string>
#include <utility>

void observe(long long value);

struct Shape {
    int rows, columns;
    bool operator<(const Shape& other) const {
        return rows != other.rows ? rows < other.rows : columns < other.columns;
    }
};

static int digits(const std::list<int>& l) {
    int n = 0;
    for (int x : l) n = n * 10 + x;
    return n;
}

int main() {
    std::list<std::pair<int, int>> order;
    std::map<int, std::list<std::pair<int, int>>::iterator> index;
    for (int key = 1; key <= 4; ++key) {
        order.emplace_front(key, key * 11);
        index[key] = order.begin();
    }
    order.splice(order.begin(), order, index.at(2));
    observe(order.front().second);
    observe(index.at(3)->second);
    observe(std::next(order.begin())->first);
    order.splice(order.end(), order, index.at(4));
    observe(order.back().second);
    index.erase(order.back().first);
    order.pop_back();
    observe(order.back().first);
    observe(index.at(1)->second);

    std::list<int> a{1, 2, 3, 4, 5, 6};
    auto four = std::next(a.begin(), 3);
    a.splice(a.begin(), a, four, a.end());
    observe(digits(a));
    a.splice(a.end(), a, a.begin(), std::next(a.begin(), 2));
    observe(digits(a));
    a.splice(std::next(a.begin()), a, std::prev(a.end()));
    observe(digits(a));
    observe(*four);
    std::list<int> b{7, 8};
    a.splice(std::next(a.begin()), b);
    observe(digits(a));
    observe(static_cast<long long>(b.size()));
    auto seven = std::next(a.begin());
    auto behind = a.erase(seven);
    observe(*behind);
    observe(*a.insert(behind, 9));
    observe(digits(a));

    std::map<Shape, int> made;
    made[Shape{4, 2}] = 1;
    made[Shape{2, 4}] = 2;
    auto hit = made.find(Shape{4, 2});
    observe(hit != made.end() ? hit->second : -1);
    observe(made.find(Shape{4, 4}) != made.end());
    made[Shape{2, 4}] += 5;
    observe(made[Shape{2, 4}]);
    observe(static_cast<long long>(made.size()));
}
