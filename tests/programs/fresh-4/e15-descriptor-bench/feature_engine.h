#pragma once
#include <cstddef>
#include <cuda_runtime.h>
#include <memory>
#include <vector>

namespace vis {

struct EngineOptions {
    int lanes = 2;
    int patches = 1 << 14;
    unsigned descriptor_us = 5000;
};

// Computes patch descriptors; the batch is split over internal lanes.
class FeatureEngine {
public:
    explicit FeatureEngine(const EngineOptions& options);
    ~FeatureEngine();
    FeatureEngine(const FeatureEngine&) = delete;
    FeatureEngine& operator=(const FeatureEngine&) = delete;

    void load(const std::vector<int>& patches);
    void extract(cudaStream_t caller);
    void finish();
    std::vector<int> descriptors() const;

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        cudaEvent_t done = nullptr;
        int first = 0;
        int count = 0;
    };

    EngineOptions options_;
    std::vector<Lane> lanes_;
    cudaEvent_t entered_ = nullptr;
    int* patches_ = nullptr;
    int* descriptors_ = nullptr;
};

}  // namespace vis
