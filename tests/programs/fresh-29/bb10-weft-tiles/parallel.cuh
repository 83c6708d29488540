#pragma once

#include "weft.h"

namespace weft {

struct Range {
  Range(const Space& s, std::size_t n) : space(s), count(n) {}
  Space space;
  std::size_t count;
};

namespace detail {

inline constexpr int kThreads = 256;

inline unsigned blocks_for(std::size_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

template <class F>
__global__ void for_kernel(std::size_t n, F f) {
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  if (i < n) f(i);
}

template <class T, class F>
__global__ void reduce_kernel(std::size_t n, F f, T* partial) {
  __shared__ T part[kThreads];
  const std::size_t i = blockIdx.x * std::size_t(blockDim.x) + threadIdx.x;
  part[threadIdx.x] = i < n ? f(i) : T{};
  __syncthreads();
  for (int k = kThreads / 2; k > 0; k >>= 1) {
    if (threadIdx.x < k) part[threadIdx.x] += part[threadIdx.x + k];
    __syncthreads();
  }
  if (threadIdx.x == 0) partial[blockIdx.x] = part[0];
}

template <class T>
__global__ void finish_kernel(const T* partial, unsigned n, T* out) {
  T acc{};
  for (unsigned k = 0; k < n; ++k) acc += partial[k];
  *out = acc;
}

}  // namespace detail

/// f(i) for all i of the range.
template <class F>
void parallel_for(const Range& r, F f) {
  detail::for_kernel<<<detail::blocks_for(r.count), detail::kThreads, 0, r.space.stream()>>>(r.count, f);
  check(cudaGetLastError());
}

/// The sum of f(i). *out, in HostScalars, holds it after the next fence of the space.
template <class T, class F>
void parallel_reduce(const Range& r, F f, T* out) {
  const unsigned blocks = detail::blocks_for(r.count);
  Scratch<T> partial(r.space, blocks);
  Scratch<T> total(r.space, 1);
  detail::reduce_kernel<<<blocks, detail::kThreads, 0, r.space.stream()>>>(r.count, f, partial.data());
  detail::finish_kernel<<<1, 1, 0, r.space.stream()>>>(partial.data(), blocks, total.data());
  check(cudaGetLastError());
  check(cudaMemcpyAsync(out, total.data(), sizeof(T), cudaMemcpyDeviceToHost, r.space.stream()));
}

}  // namespace weft
