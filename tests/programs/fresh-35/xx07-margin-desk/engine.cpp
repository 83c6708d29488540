#include "engine.h"

namespace risk {

Engine::Engine(const std::vector<int>& limits) : book_(limits) {
    book_.decay(0, upkeep_);
    book_.snapshot();
    upkeep_.drain();
}

Engine::~Engine() {
    if (open_) channel_.close();
    cudaStreamSynchronize(resident_);
}

void Engine::open() {
    channel_.open();
    startDesks(channel_.view(), book_.view(), resident_);
    open_ = true;
}

void Engine::account(const Verdict& verdict) {
    if (verdict.accepted) {
        ++stats_.accepted;
    } else {
        ++stats_.rejected;
    }
    stats_.worstLossSum += verdict.worstLoss;
}

std::vector<Verdict> Engine::submit(const std::vector<Order>& orders) {
    std::vector<Verdict> verdicts(orders.size());
    std::vector<int> pending(kDesks, -1);
    for (std::size_t i = 0; i < orders.size(); ++i) {
        const int desk = deskOf(orders[i]);
        if (pending[desk] >= 0) verdicts[pending[desk]] = channel_.await(desk);
        channel_.post(desk, orders[i]);
        pending[desk] = static_cast<int>(i);
    }
    for (int desk = 0; desk < kDesks; ++desk) {
        if (pending[desk] >= 0) verdicts[pending[desk]] = channel_.await(desk);
    }
    for (const Verdict& verdict : verdicts) account(verdict);
    return verdicts;
}

std::vector<int> Engine::endPeriod() {
    const int* exposure = book_.snapshot();
    std::vector<int> report(exposure, exposure + kAccounts);
    book_.decay(kAccounts, upkeep_);
    upkeep_.drain();
    return report;
}

void Engine::close() {
    channel_.close();
    open_ = false;
    resident_.drain();
    const int* exposure = book_.snapshot();
    for (int i = 0; i < kAccounts; ++i) stats_.exposureAtClose += exposure[i];
}

}  // namespace risk
