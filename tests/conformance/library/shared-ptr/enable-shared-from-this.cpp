// what it asks: Does shared_from_this join the existing owners?
#include <memory>
#include <vector>

void observe(long long value);

struct Task : std::enable_shared_from_this<Task> {
    int priority = 4;
    void enlist(std::vector<std::shared_ptr<Task>>& list) { list.push_back(shared_from_this()); }
};
int main() {
    std::vector<std::shared_ptr<Task>> list;
    auto task = std::make_shared<Task>();
    task->enlist(list);
    task->enlist(list);
    observe(task.use_count());
    list[1]->priority = 9;
    observe(task->priority);
    list.pop_back();
    std::weak_ptr<Task> weak = task->weak_from_this();
    observe(task.use_count() * 10 + (weak.lock() == list[0] ? 6 : 5));
}
