#pragma once
#include "bench.h"

// Red/black style sweep: the domain is cut in two halves, each with a lane of its own.
class HalfSweep final : public bench::Subject {
public:
    explicit HalfSweep(int cells);
    ~HalfSweep() override;
    std::string name() const override { return "half-sweep"; }
    void step(cudaStream_t origin) override;
    void finish() override;
    long mismatches(int steps) const;

private:
    static constexpr int kLanes = 2;
    int cells_;
    float *u_ = nullptr;
    cudaStream_t lane_[kLanes] = {};
    cudaEvent_t enter_ = nullptr;
    cudaEvent_t leave_[kLanes] = {};
};
