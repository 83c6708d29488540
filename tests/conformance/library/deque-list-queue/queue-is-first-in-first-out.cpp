// what it asks: Does a queue used as a breadth-first work list give the distances?
#include <queue>
#include <utility>

void observe(long long value);

int main() {
    const std::pair<int, int> edges[] = {{0, 1}, {0, 2}, {1, 3}, {2, 3}, {3, 4}, {4, 5}};
    int distance[6] = {0, -1, -1, -1, -1, -1};
    std::queue<int> work;
    work.push(0);
    int order = 0;
    while (!work.empty()) {
        int node = work.front();
        work.pop();
        order = order * 6 + node;
        for (const auto& e : edges)
            if (e.first == node && distance[e.second] < 0) {
                distance[e.second] = distance[node] + 1;
                work.push(e.second);
            }
    }
    observe(distance[3]);
    observe(distance[5]);
    observe(order);
}
