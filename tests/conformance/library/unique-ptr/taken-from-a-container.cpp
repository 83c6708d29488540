// what it asks: Who ends what a function takes out of a container and gives back?
#include <deque>
#include <memory>
#include <vector>

void observe(long long value);

namespace {
int ended = 0;

struct Table {
    int version;
    explicit Table(int v) : version(v) {}
    ~Table() { ++ended; }
};

auto last_of(std::vector<std::unique_ptr<Table>>& tables) {
    auto taken = std::move(tables.back());
    tables.pop_back();
    return taken;
}

struct Holder {
    std::unique_ptr<Table> now;
    void adopt(std::unique_ptr<Table> next) { now = std::move(next); }
};
} // namespace

int main() {
    {
        std::vector<std::unique_ptr<Table>> tables;
        tables.push_back(std::make_unique<Table>(1));
        tables.push_back(std::make_unique<Table>(2));
        auto taken = last_of(tables);
        observe(ended);
        observe(taken->version);
        observe(static_cast<long long>(tables.size()));
    }
    observe(ended);
    ended = 0;
    std::deque<std::unique_ptr<Table>> plan;
    for (int v = 0; v < 4; ++v) plan.push_back(std::make_unique<Table>(v));
    auto next = [&plan] {
        auto table = std::move(plan.front());
        plan.pop_front();
        return table;
    };
    Holder holder;
    holder.adopt(next());
    observe(ended);
    holder.adopt(next());
    observe(ended);
    observe(holder.now->version);
    observe(static_cast<long long>(plan.size()));
}
