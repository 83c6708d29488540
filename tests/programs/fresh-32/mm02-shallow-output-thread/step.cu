#include "model.h"

__device__ __forceinline__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}

__global__ void advance(const float *__restrict__ in, float *__restrict__ out, int us) {
  unsigned long long t0 = now_ns();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < NCELL; i += gridDim.x * blockDim.x)
    out[i] = in[i] + 1.0f;
  while (now_ns() - t0 < 1000ull * us) {
  }
}

void launch_step(const float *in, float *out, int us, cudaStream_t s) {
  advance<<<64, 256, 0, s>>>(in, out, us);
  CUDA_OK(cudaGetLastError());
}
