#include "rollup.hpp"

namespace tbl {
namespace {
constexpr std::size_t rows_per_block = 4096;
constexpr int max_groups = 1024;

std::size_t blocks_for(std::size_t rows) {
  return (rows + rows_per_block - 1) / rows_per_block;
}

__device__ unsigned long long now_ns() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

// One row of `partials` per block.
__global__ void accumulate(const int* keys, const float* values,
                           std::size_t rows, int groups, float* partials) {
  __shared__ float sums[max_groups];
  for (int g = threadIdx.x; g < groups; g += blockDim.x) sums[g] = 0.0f;
  __syncthreads();

  const std::size_t first = blockIdx.x * rows_per_block;
  const std::size_t last = min(first + rows_per_block, rows);
  for (std::size_t r = first + threadIdx.x; r < last; r += blockDim.x)
    atomicAdd(&sums[keys[r]], values[r]);
  __syncthreads();

  float* row = partials + static_cast<std::size_t>(blockIdx.x) * groups;
  for (int g = threadIdx.x; g < groups; g += blockDim.x) row[g] = sums[g];
}

__global__ void fold(const float* partials, int blocks, int groups,
                     long long least_ns, float* sums) {
  const unsigned long long end = now_ns() + least_ns;
  while (now_ns() < end) {}
  for (int g = threadIdx.x; g < groups; g += blockDim.x) {
    float total = 0.0f;
    for (int b = 0; b < blocks; ++b) total += partials[b * groups + g];
    sums[g] = total;
  }
}
}  // namespace

rollup_engine::rollup_engine(const rollup_options& options)
    : options_(options),
      scratch_(blocks_for(options.max_rows) * options.groups * sizeof(float)) {
  if (options.groups > max_groups) throw cuda_failure(cudaErrorInvalidValue);
}

void rollup_engine::sum_by_key(const int* keys, const float* values,
                               std::size_t rows, float* sums,
                               cudaStream_t stream) {
  if (rows == 0) throw cuda_failure(cudaErrorInvalidValue);
  const std::size_t blocks = blocks_for(rows);
  const int groups = options_.groups;
  lease partials = scratch_.take(blocks * groups * sizeof(float), stream);

  accumulate<<<static_cast<unsigned>(blocks), 256, 0, stream>>>(
      keys, values, rows, groups, partials.as<float>());
  check(cudaGetLastError());
  fold<<<1, 256, 0, stream>>>(partials.as<float>(), static_cast<int>(blocks),
                              groups, options_.fold_ns, sums);
  check(cudaGetLastError());
}

}  // namespace tbl
