// std: c++20
// what it asks: Views count, transform, filter and reverse.
#include <algorithm>
#include <ranges>
#include <vector>

void observe(long long value);

struct Lane {
    int id;
    bool busy;
};

int main() {
    int sum = 0;
    for (int i : std::views::iota(1, 5)) sum = sum * 10 + i;
    observe(sum);
    std::vector<Lane> lanes{{1, true}, {2, false}, {3, true}};
    int ids = 0;
    for (const auto& lane : lanes | std::views::filter([](const Lane& it) { return it.busy; })) ids = ids * 10 + lane.id;
    observe(ids);
    int doubled = 0;
    for (int id : lanes | std::views::transform([](const Lane& it) { return it.id * 2; })) doubled = doubled * 10 + id;
    observe(doubled);
    int back = 0;
    for (const auto& lane : lanes | std::views::reverse) back = back * 10 + lane.id;
    observe(back);
    int two = 0;
    for (const auto& lane : lanes | std::views::take(2)) two += lane.id;
    observe(two);
    std::ranges::for_each(lanes, [](Lane& it) { it.busy = false; });
    observe(std::ranges::count_if(lanes, [](const Lane& it) { return it.busy; }));
    auto it = std::ranges::find(lanes, 2, &Lane::id);
    observe(it - lanes.begin());
    std::ranges::sort(lanes, [](const Lane& a, const Lane& b) { return a.id > b.id; });
    observe(lanes.front().id);
}
