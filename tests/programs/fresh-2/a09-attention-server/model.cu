#include "model.cuh"

namespace serve {
namespace {

__global__ void k_project(const float* x, float* q) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kDim) q[i] = 2.f * x[i] + 1.f;
}

__global__ void k_append(const float* x, float* cache) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kDim) cache[i] = x[(i + 1) % kDim];
}

__global__ void k_usage(const float* cache, float* usage) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kDim) usage[i] = cache[i] > 0.f ? 1.f : 0.f;
}

__global__ void k_attend(const float* q, const float* cache, float* y) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < kDim) y[i] = q[i] - cache[i];
}

constexpr int kThreads = 256;
constexpr int kGrid = kDim / kThreads;

}  // namespace

void project(const Buffers& b, cudaStream_t s) { k_project<<<kGrid, kThreads, 0, s>>>(b.x, b.q); }
void append_cache(const Buffers& b, cudaStream_t s) {
    k_append<<<kGrid, kThreads, 0, s>>>(b.x, b.cache);
}
void cache_usage(const Buffers& b, cudaStream_t s) {
    k_usage<<<kGrid, kThreads, 0, s>>>(b.cache, b.usage);
}
void attend(const Buffers& b, cudaStream_t s) {
    k_attend<<<kGrid, kThreads, 0, s>>>(b.q, b.cache, b.y);
}

}  // namespace serve
