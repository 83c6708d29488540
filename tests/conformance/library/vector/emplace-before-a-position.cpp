// what it asks: Does emplace construct the element before the position named?
#include <utility>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::pair<int, char>> edges;
    edges.emplace(edges.end(), 3, 'c');
    edges.emplace(edges.begin(), 1, 'a');
    auto it = edges.emplace(edges.begin() + 1, 2, 'b');
    it->first += 20;
    observe(edges[0].first);
    observe(edges[1].first);
    observe(edges[2].first);
    observe(edges[1].second - edges[0].second + 10);
}
