// std: c++17
// what it asks: Do the elements of a vector end with the object that extends it, after what the class itself does?
#include <vector>

void observe(long long value);

int order = 0;

struct Item {
    int digit;
    explicit Item(int d) : digit(d) {}
    Item(const Item& other) : digit(other.digit) {}
    ~Item() { order = order * 10 + digit; }
};

struct Member {
    ~Member() { order = order * 10 + 3; }
};

struct Items : std::vector<Item> {
    Member member;
    ~Items() { order = order * 10 + 9; }
};

int main() {
    {
        Items items;
        items.reserve(2);
        items.emplace_back(1);
        items.emplace_back(2);
        order = 0;
    }
    observe(order);
    {
        Items* items = new Items;
        items->reserve(2);
        items->emplace_back(4);
        items->emplace_back(5);
        order = 0;
        delete items;
    }
    observe(order);
}
