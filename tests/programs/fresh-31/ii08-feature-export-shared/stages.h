#pragma once

#include <cuda_runtime.h>

#include <memory>
#include <string>
#include <vector>

#include "block_cache.h"
#include "tensor.h"

namespace feat {

struct ModelConfig {
    std::size_t features = 32768;
    int images = 8;
    unsigned write_ms = 45;
};

__host__ __device__ inline float feature(int image, int i) {
    return static_cast<float>((image * 13 + i * 7) % 64);
}

class Backbone {
public:
    Backbone(const ModelConfig& config, BlockCache& cache);
    ~Backbone();
    TensorPtr embed(int image);
    void drain();

private:
    ModelConfig config_;
    BlockCache& cache_;
    cudaStream_t stream_ = nullptr;
};

// Something that reads the embedding of each image.
class Consumer {
public:
    virtual ~Consumer() = default;
    virtual void accept(int image, const TensorPtr& embedding) = 0;
    virtual std::vector<float> collect() = 0;
    virtual float expected(int image) const = 0;
};

std::unique_ptr<Consumer> make_consumer(const std::string& kind, const ModelConfig& config);

}  // namespace feat
