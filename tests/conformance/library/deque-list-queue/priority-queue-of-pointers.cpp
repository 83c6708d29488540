// what it asks: Does a priority queue of pointers follow a comparison that is a class of the program?
#include <queue>
#include <vector>

void observe(long long value);

struct Job {
    int rank;
    int number;
    int urgency() const { return rank; }
};

struct LessUrgent {
    bool operator()(const Job* a, const Job* b) const { return a->urgency() < b->urgency(); }
};

int main() {
    Job jobs[] = {{2, 10}, {5, 20}, {1, 30}, {4, 40}};
    std::priority_queue<Job*, std::vector<Job*>, LessUrgent> due;
    for (Job& job : jobs) due.push(&job);
    while (!due.empty()) {
        observe(due.top()->number);
        due.pop();
    }
}
