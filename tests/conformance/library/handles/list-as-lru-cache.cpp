// what it asks: A list and a map of its iterators keep what was used last.
#include <list>
#include <string>
#include <unordered_map>
#include <utility>

void observe(long long value);

class Cache {
public:
    explicit Cache(std::size_t capacity) : capacity(capacity) {}
    int get(int key) {
        auto it = index.find(key);
        if (it == index.end()) return -1;
        entries.splice(entries.begin(), entries, it->second);
        return it->second->second;
    }
    void put(int key, int value) {
        if (entries.size() == capacity) {
            index.erase(entries.back().first);
            entries.pop_back();
        }
        entries.emplace_front(key, value);
        index[key] = entries.begin();
    }
    int newest() const { return entries.front().first; }
    std::size_t size() const { return entries.size(); }

private:
    std::size_t capacity;
    std::list<std::pair<int, int>> entries;
    std::unordered_map<int, std::list<std::pair<int, int>>::iterator> index;
};

int main() {
    Cache cache(2);
    cache.put(1, 10);
    cache.put(2, 20);
    observe(cache.newest());
    observe(cache.get(1));
    observe(cache.newest());
    cache.put(3, 30);
    observe(cache.get(2));
    observe(cache.get(3));
    observe(cache.size());
}
