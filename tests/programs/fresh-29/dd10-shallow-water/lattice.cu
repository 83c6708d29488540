#include "lattice.h"

namespace {
__device__ void pace(long long ns) {
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (static_cast<long long>(t - t0) < ns);
}
}  // namespace

__global__ void flow_x(Lattice l, unsigned k, long long ns) {
  pace(ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < l.cells(); i += gridDim.x * blockDim.x) {
    const int x = i % l.width, row = i - x;
    l.u[i] += k * (l.h[i] - l.h[row + (x + 1) % l.width]);
  }
}

__global__ void flow_y(Lattice l, unsigned k, long long ns) {
  pace(ns);
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < l.cells(); i += gridDim.x * blockDim.x)
    l.v[i] += k * (l.h[i] - l.h[(i + l.width) % l.cells()]);
}

__global__ void level(Lattice l) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < l.cells(); i += gridDim.x * blockDim.x) {
    const int x = i % l.width, row = i - x;
    const unsigned in_x = l.u[row + (x + l.width - 1) % l.width];
    const unsigned in_y = l.v[(i + l.cells() - l.width) % l.cells()];
    l.h[i] += in_x - l.u[i] + in_y - l.v[i];
  }
}

__global__ void total_mass(const unsigned* h, int n, unsigned* out) {
  unsigned sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    sum += h[i];
  atomicAdd(out, sum);
}
