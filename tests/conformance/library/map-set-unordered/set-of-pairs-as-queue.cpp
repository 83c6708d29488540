// what it asks: Does a set of pairs order by first then second, as shortest paths use it?
#include <set>
#include <utility>

void observe(long long value);

int main() {
    const int weight[4][4] = {{0, 9, 2, 0}, {0, 0, 0, 1}, {0, 4, 0, 8}, {0, 0, 0, 0}};
    int dist[4] = {0, 99, 99, 99};
    int relaxed = 0;
    std::set<std::pair<int, int>> todo{{0, 0}};
    while (!todo.empty()) {
        int u = todo.begin()->second;
        todo.erase(todo.begin());
        for (int v = 0; v < 4; ++v)
            if (weight[u][v] && dist[u] + weight[u][v] < dist[v]) {
                todo.erase({dist[v], v});
                dist[v] = dist[u] + weight[u][v];
                todo.insert({dist[v], v});
                ++relaxed;
            }
    }
    observe(dist[1]);
    observe(dist[3]);
    observe(relaxed);
}
