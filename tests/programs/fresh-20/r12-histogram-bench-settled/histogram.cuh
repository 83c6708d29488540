#pragma once
#include <cstdint>

namespace gbdt {
constexpr int kBins = 64;
constexpr int64_t kHistogramCostNs = 15'000'000;
constexpr int64_t kQuantiseCostNs = 45'000'000;

__device__ inline void occupy(int64_t ns) {
  unsigned long long begin, now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (now - begin < static_cast<unsigned long long>(ns));
}

/// Sorts raw features into bins: the input of every tree of a boosting round.
template <typename Bin>
__global__ void quantise(Bin* bins, int rows, uint32_t seed, int64_t cost_ns) {
  occupy(cost_ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
    bins[i] = static_cast<Bin>((uint32_t(i) * 2654435761u + seed) >> 26);
}

/// Adds the gradients of a node to the histogram of its feature.
template <typename Bin>
__global__ void accumulate(const Bin* bins, int rows, unsigned int* histogram, int64_t cost_ns) {
  __shared__ unsigned int local[kBins];
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) local[b] = 0;
  __syncthreads();
  occupy(cost_ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < rows; i += gridDim.x * blockDim.x)
    atomicAdd(&local[bins[i]], 1u);
  __syncthreads();
  for (int b = threadIdx.x; b < kBins; b += blockDim.x) atomicAdd(&histogram[b], local[b]);
}
}  // namespace gbdt
