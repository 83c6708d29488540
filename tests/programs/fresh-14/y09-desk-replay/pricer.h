#pragma once

#include <vector>

#include "arena.h"

namespace desk {

struct Scenario {
    float rate;
    float spread;
    float fx;
    float shift;
};

struct Position {
    float notional;
    float years;
};

// Prices the whole book under one scenario; the sequence of device work is
// recorded once per trading day and replayed on every tick.
class Pricer {
public:
    Pricer(PinnedArena& arena, int capacity);
    ~Pricer();

    void record(const Scenario& scenario);
    void load(const std::vector<Position>& book);
    const float* reprice();

private:
    PinnedArena& arena_;
    int capacity_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t replay_ = nullptr;
    Scenario* deviceScenario_ = nullptr;
    Position* book_ = nullptr;
    float* values_ = nullptr;
    float* report_ = nullptr;
};

}  // namespace desk
