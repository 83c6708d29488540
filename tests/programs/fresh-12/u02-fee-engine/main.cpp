#include <cstdio>
#include <deque>
#include <memory>
#include <vector>

#include "engine.h"

namespace {

std::vector<Order> makeBatch(unsigned& seed, int n)
{
    std::vector<Order> batch(n);
    for (Order& o : batch) {
        seed = seed * 1664525u + 1013904223u;
        o.symbol = int((seed >> 8) % FeeTable::kSymbols);
        o.tier = int((seed >> 4) % FeeTable::kTiers);
        o.quantity = 1 + int(seed % 900);
        o.price = 100 + int((seed >> 12) % 5000);
    }
    return batch;
}

}  // namespace

int main()
{
    constexpr int kSessions = 4;
    constexpr int kBatches = 16;

    std::deque<std::unique_ptr<FeeTable>> schedule;
    for (int v = 0; v < kSessions; ++v) schedule.push_back(std::make_unique<FeeTable>(v));

    auto takeNext = [&schedule] {
        auto t = std::move(schedule.front());
        schedule.pop_front();
        return t;
    };

    Engine engine(takeNext());
    engine.start();

    long wrong = 0;
    unsigned seed = 2024;
    for (int session = 0; session < kSessions; ++session) {
        for (int b = 0; b < kBatches; ++b) {
            const auto batch = makeBatch(seed, 200);
            const auto fees = engine.price(batch);
            for (size_t k = 0; k < batch.size(); ++k) {
                const Order& o = batch[k];
                const long long want = (long long)o.quantity * o.price *
                                       FeeTable::bps(engine.version(), o.symbol, o.tier);
                if (fees[k] != want) ++wrong;
            }
        }
        if (!schedule.empty()) engine.adopt(takeNext());
    }
    engine.stop();

    if (wrong)
        std::printf("WRONG %ld\n", wrong);
    else
        std::printf("DONE\n");
    return wrong != 0;
}
