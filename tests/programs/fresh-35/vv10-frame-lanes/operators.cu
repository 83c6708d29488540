#include "operators.h"

namespace flume {
namespace {

__global__ void GainKernel(const Pixel* in, Pixel* out, int n, int factor) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x)
    out[i] = Pixel(in[i] * factor);
}

__global__ void DenoiseKernel(const Pixel* in, Pixel* out, int n,
                              unsigned long long search_ns) {
  unsigned long long start, now;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += gridDim.x * blockDim.x) {
    const int l = in[i > 0 ? i - 1 : 0], r = in[i + 1 < n ? i + 1 : n - 1];
    out[i] = Pixel((l + 2 * in[i] + r) / 4);
  }
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - start < search_ns);
}

}  // namespace

void Gain::Run(const Pixel* in, Pixel* out, int n, cudaStream_t stream) const {
  GainKernel<<<16, 256, 0, stream>>>(in, out, n, factor_);
  Check(cudaGetLastError());
}

void Denoise::Run(const Pixel* in, Pixel* out, int n,
                  cudaStream_t stream) const {
  DenoiseKernel<<<16, 256, 0, stream>>>(in, out, n, search_ns_);
  Check(cudaGetLastError());
}

}  // namespace flume
