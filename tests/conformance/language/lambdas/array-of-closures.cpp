// what it asks: Does each closure made in a loop keep its own by-value index?
#include <functional>
#include <vector>

void observe(long long value);

int main() {
    std::vector<std::function<int()>> jobs;
    int shared = 0;
    for (int i = 0; i < 5; ++i) {
        jobs.push_back([i, &shared] {
            shared += i;
            return i * 100 + shared;
        });
    }
    observe(jobs[3]());
    observe(jobs[1]());
    observe(jobs[4]());
    observe(shared);
}
