#pragma once
#include <memory>
#include "block_cache.h"

class Tensor {
public:
    Tensor() = default;
    Tensor(int rows, int cols, cudaStream_t stream) : rows_(rows), cols_(cols)
    {
        const std::size_t bytes = sizeof(float) * rows * cols;
        auto* raw = static_cast<float*>(mem::BlockCache::instance().take(bytes, stream));
        data_ = std::shared_ptr<float>(raw, [bytes, stream](float* p) {
            mem::BlockCache::instance().give(p, bytes, stream);
        });
    }
    float* data() const { return data_.get(); }
    int size() const { return rows_ * cols_; }
    int rows() const { return rows_; }
    int cols() const { return cols_; }

private:
    std::shared_ptr<float> data_;
    int rows_ = 0, cols_ = 0;
};

namespace ops {

Tensor embed(int frame, int rows, int cols, cudaStream_t stream);
Tensor relu_scale(const Tensor& x, float factor, cudaStream_t stream);
// Adds all elements to *into.
void sum(const Tensor& x, unsigned long long* into, cudaStream_t stream);
// Row-wise attribution of a tensor, the slow part of a report; adds the weights to *into.
void attribute(const Tensor& x, unsigned long long* into, cudaStream_t stream);

}  // namespace ops
