#pragma once
#include "staging_arena.h"
#include <array>
#include <cuda_runtime.h>

namespace trk {

constexpr int kTracks = 4096;
constexpr int kGains = 64;

using GainTable = std::array<int, kGains>;

// One sensor's gating step, recorded once and replayed for each scan.
class GateStage {
public:
    GateStage(StagingArena& arena, const GainTable& gains, const int* plots);
    ~GateStage();
    GateStage(const GateStage&) = delete;
    GateStage& operator=(const GateStage&) = delete;

    void replay(cudaStream_t stream) const;
    const int* gated() const { return gated_; }

private:
    void record(StagingArena& arena, const GainTable& gains, const int* plots);

    int* device_gains_ = nullptr;
    int* gated_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
};

}  // namespace trk
