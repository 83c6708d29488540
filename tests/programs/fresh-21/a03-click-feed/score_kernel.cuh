#pragma once

namespace click {

__device__ inline unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

__global__ void score_rows(const float *rows, const float *weights, int count,
                           int features, long long least_ns, float *scores) {
  const unsigned long long begin = now_ns();
  while (now_ns() - begin < static_cast<unsigned long long>(least_ns)) {
  }
  const int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= count) return;
  float sum = 0.0f;
  for (int f = 0; f < features; ++f) sum += rows[r * features + f] * weights[f];
  scores[r] = sum;
}

}  // namespace click
