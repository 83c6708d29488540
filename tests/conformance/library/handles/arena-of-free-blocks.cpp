// what it asks: An arena takes blocks from a multimap-like free list by size and gives them back.
#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <vector>

void observe(long long value);

class Arena {
public:
    int take(int bytes) {
        auto it = idle.lower_bound(bytes);
        if (it == idle.end()) {
            int block = ++blocks;
            sizes[block] = bytes;
            return block;
        }
        int block = it->second.back();
        it->second.pop_back();
        if (it->second.empty()) idle.erase(it);
        return block;
    }
    void give(int block) { idle[sizes.at(block)].push_back(block); }
    int made() const { return blocks; }

private:
    std::map<int, std::vector<int>> idle;
    std::map<int, int> sizes;
    int blocks = 0;
};

int main() {
    Arena arena;
    int a = arena.take(64);
    int b = arena.take(256);
    observe(a * 10 + b);
    arena.give(a);
    int c = arena.take(32);
    observe(c);
    arena.give(b);
    int d = arena.take(512);
    observe(d);
    int e = arena.take(200);
    observe(e);
    observe(arena.made());
    std::set<int> busy;
    busy.insert(5);
    busy.insert(3);
    busy.insert(5);
    observe(busy.size());
    observe(*busy.begin());
    observe(busy.count(5) + 2 * busy.count(4));
    busy.erase(3);
    observe(*busy.begin());
}
