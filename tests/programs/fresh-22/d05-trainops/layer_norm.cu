#include "layer_norm.hpp"

#include "workspace.hpp"

namespace trainops {
namespace {

constexpr int kThreads = 128;
constexpr int kRowGroups = 32;

__global__ void row_moments(LayerNormShape s, const float* x, float2* moments) {
  __shared__ float sums[kThreads], squares[kThreads];
  const int row = blockIdx.x;
  float a = 0, b = 0;
  for (int c = threadIdx.x; c < s.cols; c += kThreads) {
    const float v = x[static_cast<size_t>(row) * s.cols + c];
    a += v;
    b += v * v;
  }
  sums[threadIdx.x] = a;
  squares[threadIdx.x] = b;
  __syncthreads();
  for (int w = kThreads / 2; w > 0; w /= 2) {
    if (threadIdx.x < w) {
      sums[threadIdx.x] += sums[threadIdx.x + w];
      squares[threadIdx.x] += squares[threadIdx.x + w];
    }
    __syncthreads();
  }
  if (threadIdx.x == 0) {
    const float mean = sums[0] / s.cols;
    moments[row] = make_float2(mean, rsqrtf(squares[0] / s.cols - mean * mean + s.epsilon));
  }
}

__global__ void normalise(LayerNormShape s,
                          const float* x,
                          const float2* moments,
                          const float* gamma,
                          const float* beta,
                          float* y) {
  const size_t n = static_cast<size_t>(s.rows) * s.cols;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<size_t>(gridDim.x) * blockDim.x) {
    const float2 m = moments[i / s.cols];
    const int c = static_cast<int>(i % s.cols);
    y[i] = (x[i] - m.x) * m.y * gamma[c] + beta[c];
  }
}

/// Partial sums of one group of rows for all columns.
__global__ void partial_params(LayerNormShape s,
                               const float* x,
                               const float* dy,
                               const float2* moments,
                               float2* partial) {
  const int group = blockIdx.y;
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= s.cols) return;
  float2 p = make_float2(0, 0);
  for (int row = group; row < s.rows; row += kRowGroups) {
    const size_t i = static_cast<size_t>(row) * s.cols + c;
    p.x += dy[i] * (x[i] - moments[row].x) * moments[row].y;
    p.y += dy[i];
  }
  partial[static_cast<size_t>(group) * s.cols + c] = p;
}

__global__ void reduce_params(LayerNormShape s, const float2* partial, float* dgamma, float* dbeta) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= s.cols) return;
  float2 p = make_float2(0, 0);
  for (int g = 0; g < kRowGroups; ++g) {
    const float2 q = partial[static_cast<size_t>(g) * s.cols + c];
    p.x += q.x;
    p.y += q.y;
  }
  dgamma[c] += p.x;
  dbeta[c] += p.y;
}

int column_blocks(const LayerNormShape& s) { return (s.cols + kThreads - 1) / kThreads; }

}  // namespace

void layer_norm_forward(const LayerNormShape& shape,
                        const float* x,
                        const float* gamma,
                        const float* beta,
                        float* y,
                        cudaStream_t stream) {
  Workspace moments = WorkspaceCache::get().acquire(shape.rows * sizeof(float2), stream);
  row_moments<<<shape.rows, kThreads, 0, stream>>>(shape, x, moments.as<float2>());
  normalise<<<256, kThreads, 0, stream>>>(shape, x, moments.as<float2>(), gamma, beta, y);
  check(cudaGetLastError(), "layer_norm_forward");
}

void layer_norm_backward_params(const LayerNormShape& shape,
                                const float* x,
                                const float* dy,
                                float* dgamma,
                                float* dbeta,
                                cudaStream_t stream) {
  auto& cache = WorkspaceCache::get();
  Workspace moments = cache.acquire(shape.rows * sizeof(float2), stream);
  Workspace partial = cache.acquire(sizeof(float2) * kRowGroups * shape.cols, stream);
  row_moments<<<shape.rows, kThreads, 0, stream>>>(shape, x, moments.as<float2>());
  partial_params<<<dim3(column_blocks(shape), kRowGroups), kThreads, 0, stream>>>(
      shape, x, dy, moments.as<float2>(), partial.as<float2>());
  reduce_params<<<column_blocks(shape), kThreads, 0, stream>>>(shape, partial.as<float2>(), dgamma,
                                                               dbeta);
  check(cudaGetLastError(), "layer_norm_backward_params");
}

}  // namespace trainops
