// what it asks: Does an owner that is returned out of a container leave the one in it where it is?
#include <list>
#include <map>
#include <memory>
#include <utility>
#include <vector>

void observe(long long value);

struct Plan {
    int rows;
};
using Entry = std::pair<int, std::shared_ptr<Plan>>;

static std::shared_ptr<Plan> newest(const std::list<Entry>& all) { return all.front().second; }
static std::shared_ptr<Plan> at(const std::vector<Entry>& all, int index) { return all[index].second; }
static std::shared_ptr<Plan> first(const std::vector<std::shared_ptr<Plan>>& all) { return all.front(); }
static std::shared_ptr<Plan> found(const std::map<int, std::list<Entry>::iterator>& index, int key) {
    const auto hit = index.find(key);
    return hit->second->second;
}

int main() {
    std::list<Entry> all;
    all.emplace_front(1, std::make_shared<Plan>(Plan{3}));
    newest(all);
    observe(all.front().second.use_count());
    std::shared_ptr<Plan> held = newest(all);
    observe(held.use_count());
    observe(held->rows);
    observe(all.front().second->rows);

    std::vector<Entry> many;
    many.emplace_back(1, std::make_shared<Plan>(Plan{5}));
    at(many, 0);
    observe(many[0].second.use_count());
    observe(at(many, 0)->rows);
    observe(many[0].second->rows);

    std::vector<std::shared_ptr<Plan>> bare;
    bare.push_back(std::make_shared<Plan>(Plan{7}));
    first(bare);
    observe(bare.front().use_count());
    observe(first(bare)->rows);

    std::map<int, std::list<Entry>::iterator> index;
    index[4] = all.begin();
    found(index, 4);
    observe(found(index, 4)->rows);
    held.reset();
    observe(all.front().second.use_count());
}
