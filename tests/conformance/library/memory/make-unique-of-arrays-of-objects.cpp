// what it asks: Does an owned array construct and destroy every element, the last first?
#include <memory>
#include <utility>

void observe(long long value);

namespace {
int built = 0;
int order = 0;
struct Stage {
    int id;
    Stage() : id(++built) {}
    ~Stage() { order = order * 10 + id; }
};
}  // namespace
int main() {
    auto stages = std::make_unique<Stage[]>(4);
    observe(stages[3].id * 10 + stages[0].id);
    auto more = std::make_unique<Stage[]>(2);
    observe(built);
    stages[1].id = 9;
    stages.reset();
    observe(order);
    stages = std::move(more);
    observe(stages[1].id + (more ? 10 : 20));
}
