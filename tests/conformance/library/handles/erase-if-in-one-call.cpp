// std: c++20
// what it asks: std::erase_if says how many went.
#include <map>
#include <memory>
#include <string>
#include <vector>

void observe(long long value);

struct Slot {
    std::shared_ptr<int> data;
    int age;
};

int main() {
    std::vector<Slot> slots;
    auto shared = std::make_shared<int>(5);
    for (int i = 0; i < 4; ++i) slots.push_back({shared, i});
    observe(shared.use_count());
    observe(std::erase_if(slots, [](const Slot& it) { return it.age >= 2; }));
    observe(slots.size());
    observe(shared.use_count());
    std::map<std::string, int> ages{{"a", 1}, {"b", 7}, {"c", 9}};
    observe(std::erase_if(ages, [](const auto& it) { return it.second > 5; }));
    observe(ages.size());
    std::vector<int> ids{3, 1, 3, 2};
    observe(std::erase(ids, 3));
    observe(ids[1]);
}
