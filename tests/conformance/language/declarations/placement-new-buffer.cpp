// what it asks: Does placement new construct in given storage, with explicit destructor calls?
#include <cstddef>
#include <new>

void observe(long long value);

struct Item {
    static int alive;
    int v;
    explicit Item(int x) : v(x) { ++alive; }
    ~Item() { --alive; }
};
int Item::alive = 0;

int main() {
    alignas(Item) unsigned char storage[3 * sizeof(Item)];
    Item* items[3];
    for (int i = 0; i < 3; ++i) {
        items[i] = new (storage + i * static_cast<int>(sizeof(Item))) Item(i * 11);
    }
    observe(Item::alive);
    observe(items[2]->v);
    items[1]->~Item();
    observe(Item::alive);
    items[1] = new (storage + sizeof(Item)) Item(500);
    observe(items[1]->v + items[0]->v);
    for (Item* p : items) {
        p->~Item();
    }
    observe(Item::alive);
}
