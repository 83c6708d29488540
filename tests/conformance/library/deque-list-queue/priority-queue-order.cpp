// what it asks: Does a priority_queue give the largest first, and the least with greater?
#include <functional>
#include <queue>
#include <vector>

void observe(long long value);

int main() {
    const int data[] = {5, 1, 8, 3, 7};
    std::priority_queue<int> most;
    std::priority_queue<int, std::vector<int>, std::greater<int>> least;
    for (int x : data) {
        most.push(x);
        least.push(x);
    }
    most.pop();
    least.pop();
    observe(most.top());
    observe(least.top());
    most.push(6);
    most.pop();
    observe(most.top());
    least.emplace(2);
    observe(least.top() * 10 + static_cast<long long>(least.size()));
}
