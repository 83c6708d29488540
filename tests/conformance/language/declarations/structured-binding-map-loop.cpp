// what it asks: Does a binding in a range-for over a map give keys in order and write through to values?
#include <map>
#include <string>
#include <tuple>

void observe(long long value);

int main() {
    std::map<std::string, int> m = {{"gemm", 5}, {"add", 2}, {"scan", 9}};
    int index = 0;
    for (auto& [name, cost] : m) {
        cost = cost * 10 + index++;
        if (name.size() == 3) {
            cost += 500;
        }
    }
    observe(m["add"]);
    observe(m["gemm"]);
    observe(m["scan"]);
    auto [it, inserted] = m.insert({"add", 1});
    observe(it->second + (inserted ? 1000 : 2000));
    auto [i, d] = std::make_tuple(6, 1.5);
    observe(static_cast<int>(i * d));
}
