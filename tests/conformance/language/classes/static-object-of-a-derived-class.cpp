// what it asks: Does an object that lives as long as the process have the members of its bases, containers too?
#include <map>
#include <unordered_map>
#include <vector>

void observe(long long value);

struct Base {
    std::map<int, int> known;
    std::vector<int> order;
    int find(int key) {
        auto found = known.find(key);
        if (found != known.end()) return found->second;
        order.push_back(key);
        known[key] = key * 10;
        return -1;
    }
};
struct Derived : Base {
    int calls = 0;
    int find(int key) {
        ++calls;
        return Base::find(key);
    }
};

template <class T> struct Cache {
    std::unordered_map<int, T> held;
    T get(int key) {
        auto found = held.find(key);
        if (found == held.end()) {
            held[key] = static_cast<T>(key);
            return T();
        }
        return found->second;
    }
};
template <class T> struct Guarded : Cache<T> {
    T get(int key) { return Cache<T>::get(key); }
};

Derived table;
static Guarded<long> guarded;

int main() {
    observe(table.find(3));
    observe(table.find(3));
    observe(table.find(4));
    observe(table.calls * 10 + static_cast<int>(table.order.size()));
    observe(guarded.get(5));
    observe(guarded.get(5));
}
