// what it asks: Does a map of vectors group values under their keys?
#include <map>
#include <vector>

void observe(long long value);

int main() {
    std::map<int, std::vector<int>> groups;
    for (int i = 1; i <= 10; ++i) groups[i % 3].push_back(i);
    observe(static_cast<long long>(groups[1].size()));
    observe(groups[2].back());
    auto& zero = groups[0];
    zero.clear();
    observe(static_cast<long long>(groups[0].size() + groups[2].size()));
    int total = 0;
    for (auto& [key, values] : groups)
        for (int v : values) total += key * v;
    observe(total);
}
