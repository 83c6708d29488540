#include "weight_cache.h"
#include <algorithm>

namespace weights {
namespace {

__global__ void scale(const float* in, const float* w, const float* gain, float* out, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i] * w[i] * gain[i];
}

}  // namespace

WeightCache::WeightCache(int layers, int width, int slots) : width_(width), staging_(slots, width)
{
    const size_t bytes = static_cast<size_t>(layers) * width * sizeof(float);
    status_ = cudaMalloc(&weights_, bytes);
    if (status_ == cudaSuccess) status_ = cudaMalloc(&gains_, bytes);
}

WeightCache::~WeightCache()
{
    cudaFree(gains_);
    cudaFree(weights_);
}

cudaError_t WeightCache::status() const { return status_ != cudaSuccess ? status_ : staging_.status(); }

cudaError_t WeightCache::load(int layer, const std::vector<float>& w)
{
    return cudaMemcpy(weights_ + offset(layer), w.data(), width_ * sizeof(float), cudaMemcpyHostToDevice);
}

cudaError_t WeightCache::apply(int layer, const float* gain, const float* in, float* out, cudaStream_t stream)
{
    const int slot = staging_.take();
    if (slot < 0) return cudaErrorMemoryAllocation;
    float* host = staging_.at(slot);
    std::copy(gain, gain + width_, host);
    float* device = gains_ + offset(layer);
    cudaError_t e = cudaMemcpyAsync(device, host, width_ * sizeof(float), cudaMemcpyHostToDevice, stream);
    if (e != cudaSuccess) return e;
    scale<<<(width_ + 127) / 128, 128, 0, stream>>>(in, weights_ + offset(layer), device, out, width_);
    if ((e = cudaGetLastError()) != cudaSuccess) return e;
    return staging_.release(slot, stream);
}

}  // namespace weights
