// what it asks: Are static methods, and methods of bases, found behind other names of their class, with what its parameters stand for?
#include <vector>

void observe(long long value);

template <typename Key, Key unused>
struct Table {
    Key* slots;
    int count;
    static Table create(int n, Key scale = 1) {
        Table made;
        made.slots = new Key[n];
        made.count = n;
        for (int i = 0; i < n; ++i) made.slots[i] = unused * scale;
        return made;
    }
    static int width() { return sizeof(Key); }
};

namespace ids {
using Ids = Table<long long, -1>;
}
using Narrow = Table<char, 7>;
using Again = Narrow;

template <typename T>
struct Base {
    T held = 4;
    T twice() { return 2 * held; }
    T plus(T other) { return held + other; }
};

struct Derived : Base<int> {
    using base = Base<int>;
    int twice() { return base::twice() + 1; }
    int both(int other) { return twice() + base::plus(other); }
};

template <typename Traits>
int width_by() {
    using Chosen = typename Traits::table;
    return Chosen::width();
}
struct Wide {
    using table = ids::Ids;
};

struct Items : std::vector<int> {
    int last_but(int i) { return (*this)[size() - 1 - i]; }
    void add(int a) { push_back(a); }
};

int main() {
    auto ids = ids::Ids::create(3, 5);
    observe(ids.slots[2]);
    observe(ids.count);
    observe(ids::Ids::width());
    auto narrow = Again::create(2);
    observe(narrow.slots[1]);
    observe(Again::width());
    using Local = Table<short, 3>;
    observe(Local::create(4, 2).slots[3]);
    observe(width_by<Wide>());
    Derived derived;
    observe(derived.twice());
    observe(derived.both(10));
    Items items;
    for (int i = 0; i < 5; ++i) items.add(i * i);
    observe(items.last_but(1));
}
