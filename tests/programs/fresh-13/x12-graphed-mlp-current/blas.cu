#include "blas.h"

namespace tl {
namespace {

constexpr int kMaxRows = 1024;

__global__ void gemv_partial(int rows, int cols, int split, const float* w, const float* x,
                             float* partial) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  const int part = blockIdx.y;
  float acc = 0.f;
  for (int c = part; c < cols; c += split) acc += w[row * cols + c] * x[c];
  partial[part * rows + row] = acc;
}

__global__ void gemv_reduce(int rows, int split, const float* partial, float* y) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float acc = 0.f;
  for (int s = 0; s < split; ++s) acc += partial[s * rows + row];
  y[row] = acc;
}

}  // namespace

BlasContext& blas_context() {
  thread_local BlasContext ctx;
  if (!ctx.workspace)
    TL_CHECK(cudaMalloc(&ctx.workspace, ctx.split * kMaxRows * sizeof(float)));
  ctx.stream = get_current_stream();
  return ctx;
}

void gemv(BlasContext& ctx, int rows, int cols, const float* w, const float* x, float* y) {
  const dim3 block(128);
  const dim3 grid((rows + 127) / 128, ctx.split);
  gemv_partial<<<grid, block, 0, ctx.stream>>>(rows, cols, ctx.split, w, x, ctx.workspace);
  gemv_reduce<<<grid.x, block, 0, ctx.stream>>>(rows, ctx.split, ctx.workspace, y);
  TL_CHECK(cudaGetLastError());
}

}  // namespace tl
