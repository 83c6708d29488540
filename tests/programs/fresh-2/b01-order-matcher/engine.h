#pragma once
#include "matcher.cuh"
#include <vector>

namespace exch {

struct EngineConfig {
    int symbols = 64;
    int orders = 2000;
};

class Engine {
public:
    explicit Engine(const EngineConfig& cfg) : cfg_(cfg), positions_(cfg.symbols) {
        matcher_.open(positions_.get(), cfg_.symbols);
    }

    int trade(int symbol, int quantity) { return matcher_.submit({symbol, quantity}); }

private:
    EngineConfig cfg_;
    Matcher matcher_;
    DeviceArray<int> positions_;
};

}  // namespace exch
