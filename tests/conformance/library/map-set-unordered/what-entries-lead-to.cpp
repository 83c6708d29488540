// what it asks: Are the entries of a map that a loop goes over pairs of what it was made for, const where the map is?
#include <map>
#include <memory>
#include <string>

void observe(long long value);

struct Stage {
    int id;
    int call() { return 10 + id; }
    int call() const { return 20 + id; }
};

int kind(Stage&) { return 1; }
int kind(const Stage&) { return 2; }
int kind(const std::string&) { return 3; }

int all(const std::map<std::string, Stage>& stages) {
    int sum = 0;
    for (auto& entry : stages) sum += kind(entry.second) * 100 + entry.second.call();
    return sum;
}

int main() {
    std::map<std::string, Stage> stages;
    stages["a"].id = 1;
    stages["b"].id = 2;
    int sum = 0;
    for (auto& entry : stages) sum += kind(entry.second) * 100 + entry.second.call();
    observe(sum);
    observe(all(stages));
    for (const auto& entry : stages) observe(kind(entry.second) * 10 + kind(entry.first));
    std::map<int, std::unique_ptr<Stage>> owned;
    owned.emplace(3, std::make_unique<Stage>(Stage{4}));
    for (auto& entry : owned) observe(entry.second->call());
    return 0;
}
