#include "ops.h"

namespace strata::ops {
namespace {

__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void fill_kernel(float* p, std::size_t n, float value) {
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
    p[i] = value;
}

__global__ void refine_sum_kernel(const float* p, std::size_t n, unsigned long long budget_ns, float* out) {
  const unsigned long long t0 = now_ns();
  float w = 1.0f;
  while (now_ns() - t0 < budget_ns) w = 0.5f * (w + 1.0f);
  float acc = 0.0f;
  for (std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x; i < n; i += std::size_t(gridDim.x) * blockDim.x)
    acc += w * p[i];
  __shared__ float part[256];
  part[threadIdx.x] = acc;
  __syncthreads();
  for (int k = 128; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) atomicAdd(out, part[0]);
}

}  // namespace

void fill(const device_vector<float>& v, float value, cudaStream_t s) {
  fill_kernel<<<128, 256, 0, s>>>(v.data(), v.size(), value);
  check(cudaGetLastError());
}

void refine_sum(const device_vector<float>& v, std::chrono::milliseconds budget, float* out, cudaStream_t s) {
  check(cudaMemsetAsync(out, 0, sizeof(float), s));
  refine_sum_kernel<<<64, 256, 0, s>>>(v.data(), v.size(), budget.count() * 1000000ull, out);
  check(cudaGetLastError());
}

}  // namespace strata::ops
