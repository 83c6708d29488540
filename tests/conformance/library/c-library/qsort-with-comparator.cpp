// what it asks: Does qsort order ints and structs by the comparator it calls?
#include <cstdlib>

void observe(long long value);

struct Item {
    int weight;
    int id;
};
extern "C" {
static int ascending(const void* a, const void* b) {
    return *static_cast<const int*>(a) - *static_cast<const int*>(b);
}
static int heavier(const void* a, const void* b) {
    return static_cast<const Item*>(b)->weight - static_cast<const Item*>(a)->weight;
}
}
int main() {
    int v[] = {5, 3, 9, 1, 7};
    std::qsort(v, 5, sizeof v[0], ascending);
    observe(v[0] * 10000 + v[1] * 1000 + v[2] * 100 + v[3] * 10 + v[4]);
    Item items[] = {{20, 1}, {50, 2}, {10, 3}, {40, 4}};
    std::qsort(items, 4, sizeof(Item), heavier);
    observe(items[0].id * 1000 + items[1].id * 100 + items[2].id * 10 + items[3].id);
    int key = 7;
    const int* hit = static_cast<const int*>(std::bsearch(&key, v, 5, sizeof v[0], ascending));
    observe(hit ? hit - v : 90);
}
