// what it asks: Does clear run every destructor once and leave an empty vector?
#include <vector>

void observe(long long value);

namespace {
int destroyed = 0;
struct Handle {
    int id;
    explicit Handle(int i) : id(i) {}
    Handle(const Handle&) = default;
    ~Handle() { destroyed += id; }
};
}  // namespace
int main() {
    std::vector<Handle> handles;
    handles.reserve(3);
    handles.emplace_back(1);
    handles.emplace_back(20);
    handles.emplace_back(300);
    handles.pop_back();
    observe(destroyed);
    handles.clear();
    observe(destroyed);
    observe(static_cast<long long>(handles.size()) + (handles.empty() ? 40 : 50));
}
