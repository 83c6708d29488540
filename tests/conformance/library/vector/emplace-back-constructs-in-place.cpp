// what it asks: Does emplace_back run the constructor only, without any copy or move?
#include <vector>

void observe(long long value);

namespace {
int built = 0;
int transferred = 0;
struct Launch {
    Launch(int blocks, int threads) : total(blocks * threads) { ++built; }
    Launch(const Launch& other) : total(other.total) { ++transferred; }
    int total;
};
}  // namespace
int main() {
    std::vector<Launch> plan;
    plan.reserve(4);
    plan.emplace_back(2, 128);
    plan.emplace_back(3, 64);
    observe(built * 10 + transferred);
    plan.push_back(Launch(1, 32));
    observe(built * 10 + transferred);
    observe(plan[0].total + plan[1].total + plan[2].total);
}
