#pragma once
#include "cuda_space.hpp"

namespace perf {
namespace impl {

constexpr unsigned reduce_threads = 256;
constexpr unsigned reduce_max_blocks = 264;

template <class F>
__global__ void for_kernel(F f, std::size_t begin, std::size_t end) {
  std::size_t const i = begin + blockIdx.x * std::size_t{blockDim.x} + threadIdx.x;
  if (i < end) f(i);
}

__device__ inline void block_sum(double v, double* out) {
  __shared__ double s[reduce_threads];
  s[threadIdx.x] = v;
  __syncthreads();
  for (unsigned w = reduce_threads / 2; w > 0; w /= 2) {
    if (threadIdx.x < w) s[threadIdx.x] += s[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = s[0];
}

template <class F>
__global__ void reduce_kernel(F f, std::size_t begin, std::size_t end, double* partials) {
  double v = 0;
  std::size_t const stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = begin + blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < end;
       i += stride)
    f(i, v);
  block_sum(v, partials + blockIdx.x);
}

template <class = void>
__global__ void final_kernel(double const* partials, unsigned count, double* result) {
  double v = 0;
  for (unsigned i = threadIdx.x; i < count; i += blockDim.x) v += partials[i];
  block_sum(v, result);
}

inline unsigned blocks_for(std::size_t n) {
  return static_cast<unsigned>((n + reduce_threads - 1) / reduce_threads);
}

}  // namespace impl

/// Calls f(i) for the range of the policy. Does not wait.
template <class F>
void parallel_for(RangePolicy<Cuda> const& policy, F const& f) {
  if (policy.end() <= policy.begin()) return;
  impl::for_kernel<<<impl::blocks_for(policy.end() - policy.begin()), impl::reduce_threads, 0,
                     policy.space().cuda_stream()>>>(f, policy.begin(), policy.end());
  safe_call(cudaGetLastError(), "parallel_for");
}

/// Sums what f(i, partial) adds over the range. `result` holds the sum on return.
template <class F>
void parallel_reduce(RangePolicy<Cuda> const& policy, F const& f, double& result) {
  if (policy.end() <= policy.begin()) {
    result = 0;
    return;
  }
  impl::cuda_internal& instance = policy.space().impl_instance();
  unsigned blocks = impl::blocks_for(policy.end() - policy.begin());
  if (blocks > impl::reduce_max_blocks) blocks = impl::reduce_max_blocks;
  double* const partials = instance.partials(blocks);

  impl::reduce_kernel<<<blocks, impl::reduce_threads, 0, instance.stream()>>>(
    f, policy.begin(), policy.end(), partials);
  safe_call(cudaGetLastError(), "parallel_reduce");
  impl::final_kernel<><<<1, impl::reduce_threads, 0, instance.stream()>>>(
    partials, blocks, instance.result_host());
  safe_call(cudaGetLastError(), "parallel_reduce");

  policy.space().fence();
  result = *instance.result_host();
}

}  // namespace perf
