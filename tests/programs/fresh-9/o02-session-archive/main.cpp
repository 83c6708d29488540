#include "exchange.h"

namespace {
constexpr int kDays = 4, kDepth = 1 << 19, kOrders = 300;

struct MarketMaker final : Participant {
    int price(int day, int k) const override { return (30000 + 7 * k + 11 * day) % kDepth; }
    long long quantity(int, int k) const override { return 100 + k % 17; }
};

struct Momentum final : Participant {
    int price(int day, int k) const override { return (31000 + k * k + 3 * day) % kDepth; }
    long long quantity(int day, int k) const override { return (k % 3 ? 40 : -25) + day; }
};
}  // namespace

int main() {
    std::vector<std::unique_ptr<Participant>> members;
    members.push_back(std::make_unique<MarketMaker>());
    members.push_back(std::make_unique<Momentum>());

    int wrong = 0;
    {
        Exchange exchange(kDays, kDepth);
        for (int day = 0; day < kDays; ++day) {
            exchange.nextDay();
            long long expect = 0;
            for (auto& m : members) {
                exchange.trade(*m, day, kOrders);
                for (int k = 0; k < kOrders; ++k) expect += m->quantity(day, k) * m->price(day, k);
            }
            if (exchange.settle() != expect) ++wrong;
        }
        exchange.close();
    }
    if (wrong) std::printf("WRONG %d\n", wrong);
    else std::printf("DONE\n");
    return 0;
}
