// what it asks: Names are handed on as views and found in maps.
#include <map>
#include <string>
#include <string_view>
#include <vector>

void observe(long long value);

class Registry {
public:
    void add(std::string_view name, int id) { ids.emplace(std::string(name), id); }
    int id(std::string_view name) const {
        const auto it = ids.find(std::string(name));
        return it == ids.end() ? -1 : it->second;
    }

private:
    std::map<std::string, int> ids;
};

int main() {
    Registry registry;
    registry.add("scan", 4);
    registry.add("sort", 7);
    const std::string name = "sort";
    observe(registry.id(name));
    observe(registry.id("scan"));
    observe(registry.id("hash"));
    constexpr std::string_view mode = "async";
    observe(mode == "async" ? 3 : 4);
    observe(mode.size());
    std::vector<std::string> names{"a", "bb", "ccc"};
    int index = -1;
    for (int i = 0; i < static_cast<int>(names.size()); ++i)
        if (names[i] == "bb") index = i;
    observe(index);
    observe(names.back().size());
}
