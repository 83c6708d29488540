// what it asks: Does auto& [k, v] over a map change the stored values and auto [k, v] not?
#include <map>

void observe(long long value);

int main() {
    std::map<int, int> m{{1, 5}, {2, 6}, {3, 7}};
    for (auto& [k, v] : m) v += 10 * k;
    observe(m[3]);
    int lost = 0;
    for (auto [k, v] : m) {
        v = 1000 + k;
        lost += v;
    }
    observe(lost);
    observe(m[1] + m[2] + m[3]);
    if (auto [it, fresh] = m.emplace(2, 0); !fresh) it->second = -4;
    observe(m[2]);
}
