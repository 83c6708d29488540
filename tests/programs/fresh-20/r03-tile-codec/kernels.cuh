#pragma once
#include "codec.h"

namespace codec {
static __global__ void entropy_decode(int16_t* out, int n, uint32_t seed, int64_t cost_ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  while (now - begin < static_cast<unsigned long long>(cost_ns));
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = coefficient_at(seed, i);
}

static __global__ void expand_table(uint16_t* table, int quality) {
  const int k = threadIdx.x;
  if (k < kBlockSize) table[k] = table_value(quality, k);
}

template <typename Sample>
__global__ void dequantise(const int16_t* coefficients, const uint16_t* table, Sample* out,
                           int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = static_cast<Sample>(coefficients[i] * table[i % kBlockSize]);
}

/// Brings the code of every decoder kernel onto the device.
inline void preload_kernels() {
  cudaFuncAttributes attr;
  CODEC_CHECK(cudaFuncGetAttributes(&attr, entropy_decode));
  CODEC_CHECK(cudaFuncGetAttributes(&attr, expand_table));
  CODEC_CHECK(cudaFuncGetAttributes(&attr, dequantise<uint8_t>));
  CODEC_CHECK(cudaFuncGetAttributes(&attr, dequantise<uint16_t>));
  CODEC_CHECK(cudaFuncGetAttributes(&attr, dequantise<float>));
}
}  // namespace codec
