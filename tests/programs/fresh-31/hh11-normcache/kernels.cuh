#pragma once

namespace knn {
namespace detail {

__device__ inline void pass_cost(unsigned long long ns)
{
  unsigned long long t0, t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  } while (t - t0 < ns);
}

static __global__ void row_sq_norms(float const* x, int rows, int dims, float* out)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float s = 0.f;
  for (int d = 0; d < dims; ++d) s += x[r * dims + d] * x[r * dims + d];
  out[r] = s;
}

static __global__ void to_inverse_length(float* norms, int rows, unsigned long long cost)
{
  pass_cost(cost);
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r < rows) norms[r] = norms[r] > 0.f ? 1.f / sqrtf(norms[r]) : 0.f;
}

static __global__ void score_rows(
  float const* x, int rows, int dims, float const* query, float const* norms, bool cosine, float* out)
{
  int r = blockIdx.x * blockDim.x + threadIdx.x;
  if (r >= rows) return;
  float dot = 0.f;
  for (int d = 0; d < dims; ++d) dot += x[r * dims + d] * query[d];
  out[r] = cosine ? dot * norms[r] : norms[r] - 2.f * dot;
}

}  // namespace detail
}  // namespace knn
