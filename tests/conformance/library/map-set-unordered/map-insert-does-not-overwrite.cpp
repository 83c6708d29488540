// what it asks: Does insert keep the old value, report so, and insert_or_assign replace it?
#include <map>
#include <utility>

void observe(long long value);

int main() {
    std::map<int, int> m;
    auto first = m.insert({7, 70});
    auto second = m.insert(std::make_pair(7, 700));
    observe(first.second ? 5 : 6);
    observe(second.second ? 8 : 9);
    observe(second.first->second);
    m.insert_or_assign(7, 71);
    observe(m.at(7));
    m.emplace(7, 1);
    m.try_emplace(7, 2);
    m.try_emplace(8, 3);
    observe(m[7] * 10 + m[8]);
}
