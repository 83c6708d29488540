#include "op_kernel.h"

namespace inferrt {
namespace {

constexpr int kThreads = 256;
int Blocks(int n) { return (n + kThreads - 1) / kThreads; }

__global__ void AffineKernel(const float* x, float* y, float a, float b, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + b;
}
__global__ void ReluKernel(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = x[i] > 0.f ? x[i] : 0.f;
}
__global__ void PairSumKernel(const float* x, float* y, int pairs, int width) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pairs * width) return;
  const int p = i / width, c = i % width;
  y[i] = x[(2 * p) * width + c] + x[(2 * p + 1) * width + c];
}
}  // namespace

Status AffineOp::Compute(OpContext& ctx) const {
  const int n = ctx.batch * ctx.width;
  AffineKernel<<<Blocks(n), kThreads, 0, ctx.stream>>>(ctx.input, ctx.output, a_, b_, n);
  INFER_CUDA(cudaGetLastError());
  ctx.out_batch = ctx.batch;
  return Status::OK();
}

Status ReluOp::Compute(OpContext& ctx) const {
  const int n = ctx.batch * ctx.width;
  ReluKernel<<<Blocks(n), kThreads, 0, ctx.stream>>>(ctx.input, ctx.output, n);
  INFER_CUDA(cudaGetLastError());
  ctx.out_batch = ctx.batch;
  return Status::OK();
}

Status PairSumOp::Compute(OpContext& ctx) const {
  if (ctx.batch % 2 != 0)
    return Status(StatusCode::kInvalidArgument, "PairSum: odd number of rows " + std::to_string(ctx.batch));
  const int pairs = ctx.batch / 2;
  PairSumKernel<<<Blocks(pairs * ctx.width), kThreads, 0, ctx.stream>>>(ctx.input, ctx.output, pairs, ctx.width);
  INFER_CUDA(cudaGetLastError());
  ctx.out_batch = pairs;
  return Status::OK();
}

}  // namespace inferrt
