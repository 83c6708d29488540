// what it asks: A priority queue hands out structs by their own order and by a comparator's.
#include <functional>
#include <queue>
#include <vector>

void observe(long long value);

struct Job {
    int priority;
    int id;
    friend bool operator<(const Job& a, const Job& b) { return a.priority < b.priority; }
};

int main() {
    std::priority_queue<Job> jobs;
    jobs.push({3, 1});
    jobs.push(Job{9, 2});
    jobs.push({5, 3});
    observe(jobs.size());
    observe(jobs.top().id);
    jobs.pop();
    observe(jobs.top().id);
    int order = 0;
    while (!jobs.empty()) {
        order = order * 10 + jobs.top().id;
        jobs.pop();
    }
    observe(order);
    std::priority_queue<int, std::vector<int>, std::greater<int>> times;
    times.push(40);
    times.push(20);
    times.push(30);
    observe(times.top());
    auto later = [](const Job& a, const Job& b) { return a.id > b.id; };
    std::priority_queue<Job, std::vector<Job>, decltype(later)> first(later);
    first.emplace(Job{1, 8});
    first.emplace(Job{2, 6});
    observe(first.top().priority);
}
