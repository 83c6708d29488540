#pragma once
#include <vector>
#include "staging.h"

namespace dsp {

// A cascade of FIR filters, recorded once and run for every block of samples.
class FilterPlan {
public:
    FilterPlan(StagingPool& staging, std::size_t block);
    ~FilterPlan();
    FilterPlan(const FilterPlan&) = delete;
    FilterPlan& operator=(const FilterPlan&) = delete;

    FilterPlan& begin();
    FilterPlan& stage(const std::vector<float>& taps);
    FilterPlan& finish();

    // Filters one block in place.
    void run(std::vector<float>& samples);

private:
    float* signal() const { return buffers_[stages_ & 1]; }

    StagingPool& staging_;
    std::size_t block_;
    cudaStream_t stream_ = nullptr;
    cudaGraphExec_t exec_ = nullptr;
    float* buffers_[2] = {nullptr, nullptr};
    float* tables_ = nullptr;
    std::size_t stages_ = 0;
};

}  // namespace dsp
