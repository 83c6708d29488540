// what it asks: Does extract let a key change without copying its value?
#include <map>
#include <memory>
#include <utility>

void observe(long long value);

int main() {
    std::map<int, std::unique_ptr<int>> m;
    m[1] = std::make_unique<int>(11);
    m[2] = std::make_unique<int>(22);
    int* address = m[1].get();
    auto node = m.extract(1);
    node.key() = 9;
    m.insert(std::move(node));
    observe(m.begin()->first);
    observe(*m.rbegin()->second);
    observe(m.at(9).get() == address ? 31 : 32);
    observe(static_cast<long long>(m.size() + m.count(1)));
}
