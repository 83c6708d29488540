// what it asks: Does insert at a position shift the later elements and return the new element?
#include <vector>

void observe(long long value);

int main() {
    std::vector<int> ids{10, 20, 40, 50};
    auto where = ids.insert(ids.begin() + 2, 30);
    observe(*where);
    observe(where - ids.begin());
    observe(ids[3]);
    ids.insert(ids.begin(), 5);
    observe(ids[3]);
    observe(static_cast<long long>(ids.size()));
}
