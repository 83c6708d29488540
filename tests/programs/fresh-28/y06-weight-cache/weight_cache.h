#pragma once
#include <vector>
#include "staging.h"

namespace weights {

// The weights of all layers of a model on the device.
//
// apply() puts out[i] = in[i] * weight[i] * gain[i] into `stream`.  It reads
// `gain` before it returns and may be used while `stream` is capturing; graphs
// made so are destroyed before the cache.  A layer serves one stream at a time.
class WeightCache {
public:
    WeightCache(int layers, int width, int slots);
    ~WeightCache();
    WeightCache(const WeightCache&) = delete;
    WeightCache& operator=(const WeightCache&) = delete;

    cudaError_t status() const;
    cudaError_t load(int layer, const std::vector<float>& w);
    cudaError_t apply(int layer, const float* gain, const float* in, float* out, cudaStream_t stream);
    int staged() const { return staging_.lent(); }

private:
    size_t offset(int layer) const { return static_cast<size_t>(layer) * width_; }

    int width_;
    Staging staging_;
    float* weights_ = nullptr;
    float* gains_ = nullptr;
    cudaError_t status_;
};

}  // namespace weights
