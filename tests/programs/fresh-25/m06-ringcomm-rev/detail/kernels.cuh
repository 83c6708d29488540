#pragma once

#include "../comm.h"

namespace lc {

struct reduce_args {
  const float* send[LC_MAX_RANKS];
  float* recv;
  double* accumulator;
  unsigned* counter;
  unsigned round;
  int ranks;
  size_t count;
};

__device__ inline void clique_barrier(unsigned* counter, unsigned target)
{
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(counter, 1u);
    volatile unsigned* seen = counter;
    while (*seen < target) __nanosleep(200);
    __threadfence();
  }
  __syncthreads();
}

__global__ void all_reduce_kernel(reduce_args a)
{
  clique_barrier(a.counter, (2 * a.round + 1) * a.ranks);
  for (size_t i = threadIdx.x; i < a.count; i += blockDim.x) {
    double sum = 0.0;
    for (int r = 0; r < a.ranks; ++r) sum += a.send[r][i];
    a.accumulator[i] = sum;
  }
  __syncthreads();
  for (size_t i = threadIdx.x; i < a.count; i += blockDim.x)
    a.recv[i] = static_cast<float>(a.accumulator[i]);
  clique_barrier(a.counter, (2 * a.round + 2) * a.ranks);
}

}  // namespace lc
