// Magnetic field of a detector volume on a regular grid, for track propagation.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <string>

namespace bfield {

#define BF_CHECK(call)                                                                  \
  do {                                                                                  \
    const cudaError_t bf_status_ = (call);                                              \
    if (bf_status_ != cudaSuccess)                                                      \
      throw std::runtime_error(std::string(cudaGetErrorName(bf_status_)) + " at " #call); \
  } while (0)

struct Vec3 {
  float x, y, z;
};

/// One straight piece of conductor, current in ampere.
struct Conductor {
  Vec3 from, to;
  float current;
};

struct Grid {
  Vec3 origin{0, 0, 0};
  float step = 0.1f;
  int n = 0;  ///< nodes along each axis
  std::size_t nodes() const { return static_cast<std::size_t>(n) * n * n; }
};

/// What kernels take: the field at the nodes and the slope along z beside it.
struct FieldView {
  Grid grid;
  const float4* field = nullptr;  ///< w is the magnitude
  const float4* slope = nullptr;
};

#ifdef __CUDACC__
/// Field at the node nearest to p, corrected along z.
__device__ inline Vec3 field_at(const FieldView& v, Vec3 p) {
  const int last = v.grid.n - 1;
  const float inv = 1.0f / v.grid.step;
  const int ix = min(max(__float2int_rn((p.x - v.grid.origin.x) * inv), 0), last);
  const int iy = min(max(__float2int_rn((p.y - v.grid.origin.y) * inv), 0), last);
  const float fz = (p.z - v.grid.origin.z) * inv;
  const int iz = min(max(__float2int_rn(fz), 0), last);
  const std::size_t at = (static_cast<std::size_t>(iz) * v.grid.n + iy) * v.grid.n + ix;
  const float4 b = v.field[at];
  const float4 s = v.slope[at];
  const float d = fz - iz;
  return {b.x + d * s.x, b.y + d * s.y, b.z + d * s.z};
}
#endif

/// Enqueues the evaluation of the conductors at all nodes and then of the slopes.
void build_field(const Grid& grid,
                 const Conductor* conductors,
                 int count,
                 float4* field,
                 float4* slope,
                 cudaStream_t stream);

/// State of a track: unit direction, kappa is charge over momentum.
struct Track {
  Vec3 position;
  Vec3 direction;
  float kappa;
};

}  // namespace bfield
