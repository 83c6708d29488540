// what it asks: Elements go while a loop walks over them: by iterator, erase-remove and erase_if.
#include <algorithm>
#include <list>
#include <map>
#include <memory>
#include <vector>

void observe(long long value);

static int ended = 0;

struct Task {
    int id;
    bool done;
    ~Task() { ended += id; }
};

int main() {
    std::vector<std::unique_ptr<Task>> tasks;
    for (int i = 1; i <= 4; ++i) tasks.push_back(std::make_unique<Task>(Task{i, i % 2 == 0}));
    ended = 0;
    tasks.erase(std::remove_if(tasks.begin(), tasks.end(), [](const auto& it) { return it->done; }), tasks.end());
    observe(tasks.size());
    observe(ended);
    observe(tasks[1]->id);
    std::list<int> pending{5, 6, 7, 8};
    for (auto it = pending.begin(); it != pending.end();) {
        if (*it % 2 == 1)
            it = pending.erase(it);
        else
            ++it;
    }
    observe(pending.size());
    observe(pending.front() * 10 + pending.back());
    std::map<int, int> ages{{1, 30}, {2, 3}, {3, 40}};
    for (auto it = ages.begin(); it != ages.end();) {
        if (it->second > 20)
            it = ages.erase(it);
        else
            ++it;
    }
    observe(ages.size());
    observe(ages.begin()->first);
}
