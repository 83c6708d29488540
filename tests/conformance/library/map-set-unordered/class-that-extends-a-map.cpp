// std: c++17
// what it asks: Is an object of a class that extends a map the map too, and are its members none of the entries?
#include <deque>
#include <map>
#include <string>

void observe(long long value);

struct Names : std::map<int, int> {
    int get(int key) { return std::map<int, int>::at(key); }
    void put(int key, int value) { (*this)[key] = value; }
};

struct Table : std::map<std::string, int> {
    int hits = 0;
    int look(const std::string& key) {
        auto it = find(key);
        if (it == end()) return -1;
        ++hits;
        return it->second;
    }
};

struct Line : std::deque<int> {
    int take() {
        int first = front();
        pop_front();
        return first;
    }
};

int main() {
    Names names;
    names.put(2, 20);
    observe(names.get(2));
    Table table;
    table["a"] = 3;
    table["b"] = 4;
    observe(table.look("b"));
    observe(table.look("c"));
    observe(table.hits);
    observe(table.size());
    int all = 0;
    for (auto& entry : table) all += entry.second;
    observe(all);
    table.clear();
    observe(table.hits);
    observe(table.size());
    Line line;
    line.push_back(1);
    line.push_back(2);
    observe(line.take());
    observe(line.size());
}
