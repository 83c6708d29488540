#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "block_cache.h"

namespace feat {

class Tensor {
public:
    Tensor(BlockCache& cache, std::size_t count, cudaStream_t home)
        : cache_(cache),
          count_(count),
          home_(home),
          data_(static_cast<float*>(cache.take(count * sizeof(float), home))) {
        must(cudaEventCreateWithFlags(&ready_, cudaEventDisableTiming));
    }
    ~Tensor() {
        cudaEventDestroy(ready_);
        cache_.give(data_, count_ * sizeof(float), home_, visitors_);
    }
    Tensor(const Tensor&) = delete;
    Tensor& operator=(const Tensor&) = delete;

    float* data() { return data_; }
    const float* data() const { return data_; }
    std::size_t count() const { return count_; }

    void publish() { must(cudaEventRecord(ready_, home_)); }
    void await(cudaStream_t reader) const { must(cudaStreamWaitEvent(reader, ready_, 0)); }
    void visited_by(cudaStream_t stream) {
        if (std::find(visitors_.begin(), visitors_.end(), stream) == visitors_.end()) visitors_.push_back(stream);
    }

private:
    BlockCache& cache_;
    std::size_t count_;
    cudaStream_t home_;
    float* data_;
    cudaEvent_t ready_ = nullptr;
    std::vector<cudaStream_t> visitors_;
};

using TensorPtr = std::shared_ptr<Tensor>;

}  // namespace feat
