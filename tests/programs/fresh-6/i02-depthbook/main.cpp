#include "matcher.h"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <random>

namespace {

std::vector<int> price_ladder(int depth, int day) {
    std::vector<int> p(depth);
    std::iota(p.begin(), p.end(), 10000 + 37 * day);
    std::transform(p.begin(), p.end(), p.begin(), [day](int v) { return v + (v * (day + 3)) % 101; });
    return p;
}

std::vector<Order> order_flow(int depth, int n, unsigned seed) {
    std::mt19937 rng(seed);
    std::vector<Order> o(n);
    std::generate(o.begin(), o.end(),
                  [&] { return Order{static_cast<int>(rng() % depth), static_cast<int>(rng() % 500) + 1}; });
    return o;
}

}  // namespace

int main() {
    const MatcherConfig cfg;
    constexpr int kDays = 4;
    std::size_t wrong = 0;

    Matcher matcher(cfg);
    matcher.open(price_ladder(cfg.depth, 0));
    for (int day = 0; day < kDays; ++day) {
        const auto prices = price_ladder(cfg.depth, day);
        if (day > 0) {
            matcher.publish(prices);
            matcher.rollover();
        }
        const auto flow = order_flow(cfg.depth, 8000, 99u + day);
        const auto fills = matcher.match(flow);
        for (std::size_t i = 0; i < flow.size(); ++i)
            wrong += fills[i] != static_cast<long long>(prices[flow[i].level]) * flow[i].qty;
    }
    matcher.close();

    if (wrong)
        std::printf("WRONG %zu\n", wrong);
    else
        std::printf("DONE\n");
}
