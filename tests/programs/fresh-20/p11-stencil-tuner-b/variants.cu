#include "variants.h"

namespace stx {
namespace {

__device__ inline int clamp_to(int v, int n) { return v < 0 ? 0 : (v >= n ? n - 1 : v); }

__device__ inline float relax(const SweepArgs& a, int x, int y, int z) {
  const size_t row = a.nx, plane = static_cast<size_t>(a.nx) * a.ny;
  const size_t at = z * plane + y * row + x;
  const float c = a.in[at];
  const float around = a.in[z * plane + y * row + clamp_to(x - 1, a.nx)] + a.in[z * plane + y * row + clamp_to(x + 1, a.nx)] +
                       a.in[z * plane + clamp_to(y - 1, a.ny) * row + x] + a.in[z * plane + clamp_to(y + 1, a.ny) * row + x] +
                       a.in[clamp_to(z - 1, a.nz) * plane + y * row + x] + a.in[clamp_to(z + 1, a.nz) * plane + y * row + x];
  float v = c;
  for (int s = 0; s < a.steps; ++s) v = 0.5f * v + (1.f / 12.f) * around;
  return v;
}

template <int BX, int BY>
__global__ void sweep_planes(SweepArgs a) {
  const int x = blockIdx.x * BX + threadIdx.x;
  const int y = blockIdx.y * BY + threadIdx.y;
  const int z = blockIdx.z;
  if (x < a.nx && y < a.ny) a.out[(static_cast<size_t>(z) * a.ny + y) * a.nx + x] = relax(a, x, y, z);
}

template <int BX, int BY>
__global__ void sweep_columns(SweepArgs a) {
  const int x = blockIdx.x * BX + threadIdx.x;
  const int y = blockIdx.y * BY + threadIdx.y;
  if (x >= a.nx || y >= a.ny) return;
  for (int z = 0; z < a.nz; ++z) a.out[(static_cast<size_t>(z) * a.ny + y) * a.nx + x] = relax(a, x, y, z);
}

template <int BX, int BY>
cudaError_t launch_planes(const SweepArgs& a, cudaStream_t stream) {
  const dim3 grid((a.nx + BX - 1) / BX, (a.ny + BY - 1) / BY, a.nz);
  sweep_planes<BX, BY><<<grid, dim3(BX, BY), 0, stream>>>(a);
  return cudaGetLastError();
}

template <int BX, int BY>
cudaError_t launch_columns(const SweepArgs& a, cudaStream_t stream) {
  const dim3 grid((a.nx + BX - 1) / BX, (a.ny + BY - 1) / BY);
  sweep_columns<BX, BY><<<grid, dim3(BX, BY), 0, stream>>>(a);
  return cudaGetLastError();
}

const Variant kVariants[] = {
    {"planes 32x8", &launch_planes<32, 8>},
    {"planes 64x2", &launch_planes<64, 2>},
    {"columns 32x4", &launch_columns<32, 4>},
};

}  // namespace

int variant_count() { return static_cast<int>(sizeof(kVariants) / sizeof(kVariants[0])); }
const Variant& variant(int index) { return kVariants[index]; }

}  // namespace stx
