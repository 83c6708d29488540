#include "field_cache.hpp"

namespace bfield {
namespace {

/// Biot-Savart at the nodes, the conductors taken as short pieces at their middles.
__global__ void evaluate_nodes(Grid grid, const Conductor* conductors, int count, float4* field) {
  const std::size_t nodes = static_cast<std::size_t>(grid.n) * grid.n * grid.n;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < nodes;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const int ix = static_cast<int>(i % grid.n);
    const int iy = static_cast<int>(i / grid.n % grid.n);
    const int iz = static_cast<int>(i / grid.n / grid.n);
    const float px = grid.origin.x + ix * grid.step;
    const float py = grid.origin.y + iy * grid.step;
    const float pz = grid.origin.z + iz * grid.step;
    float4 b = make_float4(0, 0, 0, 0);
    for (int c = 0; c < count; ++c) {
      const Conductor k = conductors[c];
      const float dx = k.to.x - k.from.x, dy = k.to.y - k.from.y, dz = k.to.z - k.from.z;
      const float rx = px - 0.5f * (k.to.x + k.from.x);
      const float ry = py - 0.5f * (k.to.y + k.from.y);
      const float rz = pz - 0.5f * (k.to.z + k.from.z);
      const float r2 = rx * rx + ry * ry + rz * rz + 1e-4f;
      const float w = 1e-7f * k.current * rsqrtf(r2) / r2;
      b.x += w * (dy * rz - dz * ry);
      b.y += w * (dz * rx - dx * rz);
      b.z += w * (dx * ry - dy * rx);
    }
    b.w = sqrtf(b.x * b.x + b.y * b.y + b.z * b.z);
    field[i] = b;
  }
}

/// Central differences along z, one-sided at the ends.
__global__ void slopes(Grid grid, const float4* field, float4* slope) {
  const std::size_t plane = static_cast<std::size_t>(grid.n) * grid.n;
  const std::size_t nodes = plane * grid.n;
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < nodes;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    const int iz = static_cast<int>(i / plane);
    const std::size_t lo = iz > 0 ? i - plane : i;
    const std::size_t hi = iz + 1 < grid.n ? i + plane : i;
    const float f = hi > lo + plane ? 0.5f : 1.0f;
    const float4 a = field[lo], b = field[hi];
    slope[i] = make_float4(f * (b.x - a.x), f * (b.y - a.y), f * (b.z - a.z), f * (b.w - a.w));
  }
}

__global__ void propagate(FieldView view, Track* tracks, int count, int steps, float h) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Track t = tracks[i];
  for (int s = 0; s < steps; ++s) {
    const Vec3 b = field_at(view, t.position);
    const float q = t.kappa * h;
    Vec3 d = t.direction;
    d.x += q * (t.direction.y * b.z - t.direction.z * b.y);
    d.y += q * (t.direction.z * b.x - t.direction.x * b.z);
    d.z += q * (t.direction.x * b.y - t.direction.y * b.x);
    const float norm = rsqrtf(d.x * d.x + d.y * d.y + d.z * d.z);
    t.direction = {d.x * norm, d.y * norm, d.z * norm};
    t.position.x += h * t.direction.x;
    t.position.y += h * t.direction.y;
    t.position.z += h * t.direction.z;
  }
  tracks[i] = t;
}

}  // namespace

void build_field(const Grid& grid,
                 const Conductor* conductors,
                 int count,
                 float4* field,
                 float4* slope,
                 cudaStream_t stream) {
  evaluate_nodes<<<128, 128, 0, stream>>>(grid, conductors, count, field);
  BF_CHECK(cudaGetLastError());
  slopes<<<128, 128, 0, stream>>>(grid, field, slope);
  BF_CHECK(cudaGetLastError());
}

void Propagator::operator()(int volume, Track* tracks, int count, cudaStream_t stream) const {
  if (count <= 0) return;
  const FieldView view = cache_.get(volume, stream);
  propagate<<<(count + 127) / 128, 128, 0, stream>>>(view, tracks, count, steps_, h_);
  BF_CHECK(cudaGetLastError());
}

}  // namespace bfield
