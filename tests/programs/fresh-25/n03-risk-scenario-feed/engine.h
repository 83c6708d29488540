#pragma once
#include "cuda_raii.h"
#include "scenario.h"
#include <array>
#include <vector>

namespace risk {

// Pinned staging for scenario batches on their way to the device.
class StagingRing {
public:
    struct Slot {
        int* host = nullptr;
        Event reusable;
        bool used = false;
    };

    explicit StagingRing(std::size_t count);
    ~StagingRing();

    Slot& acquire(int batch);

private:
    std::array<Slot, 2> slots_;
};

class PricingEngine {
public:
    explicit PricingEngine(const EngineConfig& config);

    // Runs all batches and returns the loss of every scenario, batch after batch.
    std::vector<long long> run(ScenarioSource& source);

private:
    void upload(StagingRing::Slot& slot);
    void price(int batch);

    EngineConfig config_;
    Stream copy_;
    Stream compute_;
    Event uploaded_;
    Event inputFree_;
    StagingRing ring_;
    DeviceArray<int> input_;
    DeviceArray<long long> losses_;
};

}  // namespace risk
