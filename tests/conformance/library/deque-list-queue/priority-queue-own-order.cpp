// what it asks: Does a priority_queue of structs with a lambda order schedule by cost?
#include <queue>
#include <vector>

void observe(long long value);

struct Job {
    int id;
    int cost;
};
int main() {
    auto cheaper_first = [](const Job& a, const Job& b) { return a.cost > b.cost; };
    std::priority_queue<Job, std::vector<Job>, decltype(cheaper_first)> jobs(cheaper_first);
    jobs.push({1, 30});
    jobs.push({2, 10});
    jobs.push({3, 20});
    jobs.emplace(Job{4, 25});
    int order = 0, time = 0, waited = 0;
    while (!jobs.empty()) {
        order = order * 10 + jobs.top().id;
        waited += time;
        time += jobs.top().cost;
        jobs.pop();
    }
    observe(order);
    observe(time);
    observe(waited);
}
