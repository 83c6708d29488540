#pragma once
#include "buffers.h"
#include <map>
#include <vector>

namespace llm {

struct ModelConfig {
    int hidden = 256;
    std::vector<int> buckets{1, 4, 16};
};

// Bias of one vocabulary column for a given batch bucket.
inline float biasValue(int bucket, int column) {
    return static_cast<float>(bucket * 10 + column % 7);
}

// One executable graph per batch bucket, with the buffers it works on.
struct BucketPlan {
    int bucket = 0;
    PinnedPtr<float> input;
    PinnedPtr<float> output;
    DevicePtr<float> dInput;
    DevicePtr<float> dBias;
    DevicePtr<float> dOutput;
    cudaGraphExec_t exec = nullptr;

    BucketPlan() = default;
    BucketPlan(const BucketPlan&) = delete;
    BucketPlan& operator=(const BucketPlan&) = delete;
    ~BucketPlan() {
        if (exec) cudaGraphExecDestroy(exec);
    }
};

class PlanCache {
public:
    PlanCache(const ModelConfig& config, cudaStream_t stream);

    // Smallest bucket that takes the given number of rows.
    BucketPlan& select(int rows);

private:
    std::unique_ptr<BucketPlan> build(int bucket);

    ModelConfig config_;
    cudaStream_t stream_;
    PinnedPtr<float> biasStage_;
    std::map<int, std::unique_ptr<BucketPlan>> plans_;
};

}  // namespace llm
