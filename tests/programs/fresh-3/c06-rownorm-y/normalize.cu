#include "normalize.hpp"

#include <thrust/transform.h>

namespace veclib {
namespace {

constexpr int kBlock = 128;

__global__ void row_accumulate(float const* m, int cols, bool squared, float* norms) {
  __shared__ float part[kBlock];
  float const* row = m + static_cast<size_t>(blockIdx.x) * cols;
  float acc = 0.f;
  for (int c = threadIdx.x; c < cols; c += kBlock) acc += squared ? row[c] * row[c] : fabsf(row[c]);
  part[threadIdx.x] = acc;
  __syncthreads();
  for (int w = kBlock / 2; w > 0; w >>= 1) {
    if (threadIdx.x < w) part[threadIdx.x] += part[threadIdx.x + w];
    __syncthreads();
  }
  if (threadIdx.x == 0) norms[blockIdx.x] = part[0];
}

__global__ void scale_rows(float* m, int cols, float const* factors) {
  float f = factors[blockIdx.x];
  float* row = m + static_cast<size_t>(blockIdx.x) * cols;
  for (int c = threadIdx.x; c < cols; c += blockDim.x) row[c] *= f;
}

__global__ void sum_columns(float const* m, int rows, int cols, float* out) {
  int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float acc = 0.f;
  for (int r = 0; r < rows; ++r) acc += m[static_cast<size_t>(r) * cols + c];
  out[c] = acc;
}

struct to_factor {
  norm_kind kind;
  float eps;
  __host__ __device__ float operator()(float v) const {
    return 1.f / ((kind == norm_kind::l2 ? sqrtf(v) : v) + eps);
  }
};

struct divide_by {
  float n;
  __host__ __device__ float operator()(float v) const { return v / n; }
};

}  // namespace

void normalize_rows(resources& res, matrix_view<float> m, normalize_config const& cfg) {
  if (res.workspace_size() < static_cast<size_t>(m.rows)) res.reserve_workspace(m.rows);
  float* norms = res.workspace();

  row_accumulate<<<m.rows, kBlock, 0, res.stream()>>>(m.data, m.cols, cfg.kind == norm_kind::l2, norms);
  check(cudaGetLastError());

  thrust::transform(res.thrust_policy(), norms, norms + m.rows, norms, to_factor{cfg.kind, cfg.eps});

  scale_rows<<<m.rows, kBlock, 0, res.stream()>>>(m.data, m.cols, norms);
  check(cudaGetLastError());
}

void column_means(resources& res, matrix_view<float const> m, float* out) {
  sum_columns<<<(m.cols + 127) / 128, 128, 0, res.stream()>>>(m.data, m.rows, m.cols, out);
  check(cudaGetLastError());
  thrust::transform(res.thrust_policy(), out, out + m.cols, out, divide_by{static_cast<float>(m.rows)});
}

}  // namespace veclib
