#pragma once
#include "view.hpp"

#include <algorithm>

namespace pk {
struct RangePolicy {
  RangePolicy(Cuda s, std::size_t b, std::size_t e) : space(std::move(s)), begin(b), end(e) {}
  Cuda space;
  std::size_t begin;
  std::size_t end;
};

template <class T>
struct Sum {
  using value_type = T;
  static __host__ __device__ T identity() { return T(0); }
  static __host__ __device__ void join(T& a, const T& b) { a += b; }
};

namespace impl {
constexpr int kThreads = 128;

inline int league_size(const RangePolicy& p) {
  const std::size_t blocks = (p.end - p.begin + kThreads - 1) / kThreads;
  const std::size_t limit = std::max(p.space.concurrency() / 2, 1);
  return static_cast<int>(std::max<std::size_t>(std::min(blocks, limit), 1));
}

template <class Reducer>
__device__ void join_block(typename Reducer::value_type value, typename Reducer::value_type* out) {
  __shared__ typename Reducer::value_type lane[kThreads];
  lane[threadIdx.x] = value;
  __syncthreads();
  for (int width = kThreads / 2; width > 0; width /= 2) {
    if (threadIdx.x < width) Reducer::join(lane[threadIdx.x], lane[threadIdx.x + width]);
    __syncthreads();
  }
  if (threadIdx.x == 0) *out = lane[0];
}

template <class Functor>
__global__ void for_kernel(Functor f, std::size_t begin, std::size_t end) {
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = begin + std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += stride) f(i);
}

template <class Reducer, class Functor>
__global__ void reduce_kernel(Functor f, std::size_t begin, std::size_t end, typename Reducer::value_type* partial) {
  auto value = Reducer::identity();
  const std::size_t stride = std::size_t(gridDim.x) * blockDim.x;
  for (std::size_t i = begin + std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < end; i += stride) f(i, value);
  join_block<Reducer>(value, partial + blockIdx.x);
}

template <class Reducer>
__global__ void final_kernel(const typename Reducer::value_type* partial, int n, typename Reducer::value_type* out) {
  auto value = Reducer::identity();
  for (int i = threadIdx.x; i < n; i += blockDim.x) Reducer::join(value, partial[i]);
  join_block<Reducer>(value, out);
}
}  // namespace impl

// Asynchronous with respect to the host.
template <class Functor>
void parallel_for(const RangePolicy& policy, const Functor& f) {
  impl::for_kernel<<<impl::league_size(policy), impl::kThreads, 0, policy.space.stream()>>>(
      f, policy.begin, policy.end);
  check(cudaGetLastError());
}

// Asynchronous with respect to the host: result is a view on the device.
template <class Reducer, class Functor>
void parallel_reduce(const RangePolicy& policy, const Functor& f, const View<typename Reducer::value_type>& result) {
  using value_type = typename Reducer::value_type;
  const int league = impl::league_size(policy);
  const cudaStream_t stream = policy.space.stream();
  auto* partial = static_cast<value_type*>(policy.space.scratch(sizeof(value_type) * league));
  impl::reduce_kernel<Reducer><<<league, impl::kThreads, 0, stream>>>(f, policy.begin, policy.end, partial);
  check(cudaGetLastError());
  impl::final_kernel<Reducer><<<1, impl::kThreads, 0, stream>>>(partial, league, result.data());
  check(cudaGetLastError());
}
}  // namespace pk
