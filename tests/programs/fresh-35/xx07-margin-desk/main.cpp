// Runs three trading periods and replays them on the host.
#include "engine.h"

#include <algorithm>
#include <cstdio>

using namespace risk;

namespace {

constexpr int kPeriods = 3;
constexpr int kOrdersPerPeriod = 240;

class OrderFeed {
public:
    Order next() {
        return Order{static_cast<int>(draw() % kAccounts), static_cast<int>(draw() % 90) + 10,
                     static_cast<int>(draw() % 400) + 100};
    }

private:
    unsigned draw() {
        state_ = state_ * 1664525u + 1013904223u;
        return state_ >> 12;
    }
    unsigned state_ = 4711;
};

// The same rules, order by order.
class HostBook {
public:
    explicit HostBook(std::vector<int> limits) : limits_(std::move(limits)), exposure_(limits_.size(), 0) {}

    Verdict decide(const Order& order) {
        int worst = scenarioLoss(order, 0);
        for (int s = 1; s < kScenarios; ++s) worst = std::max(worst, scenarioLoss(order, s));
        Verdict verdict{0, worst};
        if (exposure_[order.account] + worst <= limits_[order.account]) {
            exposure_[order.account] += worst;
            verdict.accepted = 1;
        }
        return verdict;
    }

    void decay() {
        for (int& e : exposure_) e -= e / 4;
    }

    const std::vector<int>& exposure() const { return exposure_; }

private:
    std::vector<int> limits_;
    std::vector<int> exposure_;
};

int tradeAndVerify() {
    std::vector<int> limits(kAccounts);
    for (int i = 0; i < kAccounts; ++i) limits[i] = 400 + 45 * (i % 17);

    OrderFeed feed;
    HostBook host(limits);
    Engine engine(limits);
    int wrong = 0;

    engine.open();
    for (int period = 0; period < kPeriods; ++period) {
        std::vector<Order> orders;
        for (int i = 0; i < kOrdersPerPeriod; ++i) orders.push_back(feed.next());
        const std::vector<Verdict> verdicts = engine.submit(orders);
        for (int i = 0; i < kOrdersPerPeriod; ++i) {
            const Verdict expected = host.decide(orders[i]);
            if (verdicts[i].accepted != expected.accepted || verdicts[i].worstLoss != expected.worstLoss) ++wrong;
        }
        const std::vector<int> report = engine.endPeriod();
        for (int i = 0; i < kAccounts; ++i) {
            if (report[i] != host.exposure()[i]) ++wrong;
        }
        host.decay();
    }
    engine.close();

    const SessionStats& stats = engine.stats();
    std::printf("accepted %d, rejected %d, worst losses %lld, exposure at close %lld\n", stats.accepted,
                stats.rejected, stats.worstLossSum, stats.exposureAtClose);
    return wrong;
}

}  // namespace

int main() {
    int wrong = 0;
    try {
        wrong = tradeAndVerify();
    } catch (const gpu::Failure& e) {
        std::fprintf(stderr, "%s\n", e.what());
        std::printf("ERROR %s\n", e.name());
        return 1;
    }
    if (wrong != 0) {
        std::printf("WRONG %d\n", wrong);
        return 1;
    }
    std::printf("DONE\n");
    return 0;
}
