#pragma once
// Building block of the level-1 routines, also open to users with functors of
// their own: out = fold(combine, map(0), map(1), ..., map(n-1)).

#include "vx.h"

namespace vx {

constexpr int kThreads = 256;
constexpr int kPartials = 64;

struct View {
  cudaStream_t stream;
  double *partials;
};

// Gives the stream and the workspace of a handle.
vxStatus_t acquire(vxHandle_t handle, size_t bytes, View &view);

struct Plus {
  __device__ double operator()(double a, double b) const { return a + b; }
};

struct Max {
  __device__ double operator()(double a, double b) const { return a > b ? a : b; }
};

template <typename Map, typename Combine>
__global__ void partialKernel(size_t n, Map map, Combine, double *partials) {
  __shared__ double tile[kThreads];
  double acc = 0.0;
  for (size_t i = blockIdx.x * size_t(kThreads) + threadIdx.x; i < n; i += size_t(gridDim.x) * kThreads)
    acc = Combine::local(acc, map(i));
  tile[threadIdx.x] = acc;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (threadIdx.x < half) tile[threadIdx.x] = Combine::local(tile[threadIdx.x], tile[threadIdx.x + half]);
    __syncthreads();
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = tile[0];
}

// The last level runs in a fixed order, so results are the same on every run.
template <typename Combine>
__global__ void foldKernel(const double *partials, int count, Combine combine, double *out) {
  double acc = 0.0;
  for (int i = 0; i < count; ++i) acc = combine(acc, partials[i]);
  *out = acc;
}

// Pairs a cheap operator for the tiles with the operator of the last level.
template <typename Tile, typename Last>
struct Combiner {
  Last last;
  __device__ static double local(double a, double b) { return Tile{}(a, b); }
  __device__ double operator()(double a, double b) const { return last(a, b); }
};

template <typename Map, typename Combine>
vxStatus_t mapReduce(vxHandle_t handle, size_t n, Map map, Combine combine, double *out) {
  if (!out) return VX_STATUS_INVALID_VALUE;
  View view;
  vxStatus_t status = acquire(handle, kPartials * sizeof(double), view);
  if (status != VX_STATUS_SUCCESS) return status;

  partialKernel<<<kPartials, kThreads, 0, view.stream>>>(n, map, combine, view.partials);
  foldKernel<<<1, 1, 0, view.stream>>>(view.partials, kPartials, combine, out);
  return cudaGetLastError() == cudaSuccess ? VX_STATUS_SUCCESS : VX_STATUS_EXECUTION_FAILED;
}

}  // namespace vx
