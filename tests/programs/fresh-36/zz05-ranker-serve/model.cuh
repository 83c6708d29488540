#pragma once
#include <vector>

#include "allocator.hpp"

namespace rank {

constexpr int kWidth = 128;
constexpr int kLayers = 3;

// Dense layers y = relu(W x + b) with a residual path; weights are shared by all workers.
class Model {
public:
    Model();
    ~Model();
    Model(const Model&) = delete;
    Model& operator=(const Model&) = delete;

    Tensor forward(CachingAllocator& alloc, const float* x, int batch, cudaStream_t stream) const;
    std::vector<float> reference(const std::vector<float>& x, int batch) const;

private:
    std::vector<float> host_;
    float* weights_ = nullptr;
};

}  // namespace rank
