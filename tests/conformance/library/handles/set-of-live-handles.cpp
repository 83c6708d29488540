// what it asks: A set of handles knows what is alive, and is walked in order.
#include <set>
#include <unordered_set>
#include <utility>
#include <vector>

void observe(long long value);

class Tracker {
public:
    bool add(int id) { return live.insert(id).second; }
    bool drop(int id) { return live.erase(id) > 0; }
    bool has(int id) const { return live.count(id) != 0; }
    int order() const {
        int all = 0;
        for (int id : live) all = all * 10 + id;
        return all;
    }

private:
    std::set<int> live;
};

int main() {
    Tracker tracker;
    tracker.add(4);
    tracker.add(2);
    tracker.add(9);
    observe(tracker.add(2) ? 1 : 2);
    observe(tracker.order());
    observe(tracker.drop(4) ? 1 : 2);
    observe(tracker.drop(4) ? 1 : 2);
    observe(tracker.order());
    observe(tracker.has(9) ? 3 : 4);
    std::unordered_set<const int*> seen;
    int a = 0, b = 0;
    seen.insert(&a);
    seen.insert(&b);
    seen.insert(&a);
    observe(seen.size());
    observe(seen.find(&b) != seen.end() ? 5 : 6);
    seen.erase(&b);
    observe(seen.count(&b) + 7);
}
