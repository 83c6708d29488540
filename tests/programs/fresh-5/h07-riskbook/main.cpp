#include "desk.hpp"

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

namespace {

std::vector<int> portfolio(int seed, std::size_t size)
{
    std::vector<int> lots(size);
    std::generate(lots.begin(), lots.end(), [state = 17u * seed + 5u]() mutable {
        state = state * 1664525u + 1013904223u;
        return static_cast<int>(state >> 24);
    });
    return lots;
}

int trade()
{
    const std::vector<std::tuple<std::string, int, int>> listing{
        {"brent", 1, 3}, {"copper", 2, 1}, {"gasoil", 3, 5}, {"nickel", 4, 2}};
    constexpr std::size_t lots = 1u << 20;

    RiskDesk desk;
    std::map<std::string, long long> holdings;
    for (const auto& [name, seed, expiry] : listing) {
        const auto lotsOf = portfolio(seed, lots);
        holdings[name] = std::accumulate(lotsOf.begin(), lotsOf.end(), 0LL);
        desk.open(name, lotsOf, expiry);
    }

    desk.start();
    int mismatches = 0;
    for (int day = 1; day <= 4; ++day) {
        for (const auto& [name, seed, expiry] : listing) {
            const int price = 40 + 3 * day + seed;
            const auto exposure = desk.value(name, price);
            const bool listed = expiry >= day;
            if (exposure.has_value() != listed) ++mismatches;
            if (exposure && *exposure != holdings[name] * price) ++mismatches;
        }
        const auto gone = desk.expire(day);
        std::printf("day %d: %zu book(s) expired\n", day, gone);
    }
    desk.stop();
    return mismatches;
}

}  // namespace

int main()
{
    try {
        if (const int wrong = trade(); wrong)
            std::printf("WRONG %d\n", wrong);
        else
            std::printf("DONE\n");
    } catch (const gpu::failure& e) {
        std::printf("ERROR %s\n", e.name());
        return 1;
    }
}
