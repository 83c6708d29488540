// what it asks: Searches over vectors of structs find the one that fits, and count.
#include <algorithm>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

void observe(long long value);

struct Slot {
    int id;
    int bytes;
    bool busy;
};

int main() {
    std::vector<Slot> slots{{4, 100, true}, {5, 300, false}, {6, 200, false}, {7, 50, true}};
    auto fits = [](int bytes) { return [bytes](const Slot& it) { return !it.busy && it.bytes >= bytes; }; };
    auto it = std::find_if(slots.begin(), slots.end(), fits(150));
    observe(it->id);
    it->busy = true;
    it = std::find_if(slots.begin(), slots.end(), fits(150));
    observe(it->id);
    observe(std::distance(slots.begin(), it));
    observe(std::count_if(slots.begin(), slots.end(), [](const Slot& s) { return s.busy; }));
    it = std::find_if(slots.begin(), slots.end(), fits(1000));
    observe(it == slots.end() ? 21 : 22);
    auto big = std::max_element(slots.begin(), slots.end(), [](auto& a, auto& b) { return a.bytes < b.bytes; });
    observe(big->id);
    std::sort(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.bytes < b.bytes; });
    observe(slots.front().id * 10 + slots.back().id);
    observe(std::accumulate(slots.begin(), slots.end(), 0, [](int sum, const Slot& s) { return sum + s.bytes; }));
    observe(std::any_of(slots.begin(), slots.end(), [](const Slot& s) { return s.id == 6; }) ? 31 : 32);
}
