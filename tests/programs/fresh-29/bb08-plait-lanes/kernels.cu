#include "plait_internal.h"

namespace plait {

namespace {

__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void envelope_kernel(const float* x, size_t n, unsigned window, size_t windows, unsigned long long fit_ns, float* env) {
  const unsigned long long t0 = now_ns();
  for (size_t w = blockIdx.x * size_t(blockDim.x) + threadIdx.x; w < windows; w += size_t(gridDim.x) * blockDim.x) {
    float top = 0.0f;
    const size_t end = (w + 1) * window < n ? (w + 1) * window : n;
    for (size_t i = w * window; i < end; ++i) top = fmaxf(top, fabsf(x[i]));
    env[w] = top;
  }
  while (now_ns() - t0 < fit_ns) {
  }
}

__global__ void total_kernel(const float* env, size_t windows, float* total) {
  __shared__ float part[256];
  float acc = 0.0f;
  for (size_t w = threadIdx.x; w < windows; w += blockDim.x) acc += env[w];
  part[threadIdx.x] = acc;
  __syncthreads();
  for (unsigned k = blockDim.x / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) *total = part[0];
}

}  // namespace

cudaError_t launch_envelope(const float* samples, size_t n, const plait_options& opt, float* envelope, cudaStream_t s) {
  const size_t windows = (n + opt.window - 1) / opt.window;
  envelope_kernel<<<16, 128, 0, s>>>(samples, n, opt.window, windows, opt.refine_us * 1000ull, envelope);
  return cudaGetLastError();
}

cudaError_t launch_total(const float* envelope, size_t windows, float* total, cudaStream_t s) {
  total_kernel<<<1, 256, 0, s>>>(envelope, windows, total);
  return cudaGetLastError();
}

}  // namespace plait
