#include "ops.hpp"

namespace mt::ops {
namespace {

__global__ void scaleKernel(int* x, int n, int factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) x[i] *= factor;
}

__global__ void dotKernel(const int* a, const int* b, int n, unsigned long long* acc) {
  const long long begin = clock64();
  while (clock64() - begin < 60000000LL) {
  }
  unsigned long long sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += static_cast<unsigned long long>(a[i]) * static_cast<unsigned long long>(b[i]);
  atomicAdd(acc, sum);
}

}  // namespace

void scale(const Tensor& t, int factor, cudaStream_t s) {
  scaleKernel<<<8, 256, 0, s>>>(t.on(s), t.size(), factor);
  guard(cudaGetLastError());
}

void dot(const Tensor& a, const Tensor& b, unsigned long long* acc, cudaStream_t s) {
  const int* pa = a.on(s);
  const int* pb = b.on(s);
  dotKernel<<<8, 256, 0, s>>>(pa, pb, a.size(), acc);
  guard(cudaGetLastError());
}

}  // namespace mt::ops
