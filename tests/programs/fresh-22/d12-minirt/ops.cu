#include "context.hpp"

namespace minirt {
namespace {

constexpr int kTile = 16;

__global__ void fill_kernel(float* p, size_t n, float value) {
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<size_t>(gridDim.x) * blockDim.x) {
    p[i] = value;
  }
}

__global__ void matmul_kernel(Matrix a, Matrix b, Matrix out) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  const int col = blockIdx.x * kTile + threadIdx.x;
  const int row = blockIdx.y * kTile + threadIdx.y;
  float sum = 0;
  for (int k0 = 0; k0 < a.cols; k0 += kTile) {
    const int ka = k0 + threadIdx.x, kb = k0 + threadIdx.y;
    ta[threadIdx.y][threadIdx.x] =
        row < a.rows && ka < a.cols ? a.data[static_cast<size_t>(row) * a.cols + ka] : 0.0f;
    tb[threadIdx.y][threadIdx.x] =
        kb < b.rows && col < b.cols ? b.data[static_cast<size_t>(kb) * b.cols + col] : 0.0f;
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];
    __syncthreads();
  }
  if (row < out.rows && col < out.cols) out.data[static_cast<size_t>(row) * out.cols + col] = sum;
}

__global__ void bias_relu_kernel(Matrix m, const float* bias) {
  const size_t n = static_cast<size_t>(m.rows) * m.cols;
  for (size_t i = blockIdx.x * static_cast<size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<size_t>(gridDim.x) * blockDim.x) {
    m.data[i] = fmaxf(m.data[i] + bias[i % m.cols], 0.0f);
  }
}

}  // namespace

void fill(Context& ctx, Matrix m, float value) {
  Context::OpScope scope(ctx, "fill");
  fill_kernel<<<512, 256, 0, ctx.stream()>>>(m.data, static_cast<size_t>(m.rows) * m.cols, value);
  check(cudaGetLastError(), "fill");
}

void matmul(Context& ctx, Matrix a, Matrix b, Matrix out) {
  if (a.cols != b.rows || out.rows != a.rows || out.cols != b.cols) {
    throw std::invalid_argument("minirt: shapes of matmul");
  }
  Context::OpScope scope(ctx, "matmul");
  const dim3 block(kTile, kTile);
  const dim3 grid((out.cols + kTile - 1) / kTile, (out.rows + kTile - 1) / kTile);
  matmul_kernel<<<grid, block, 0, ctx.stream()>>>(a, b, out);
  check(cudaGetLastError(), "matmul");
}

void bias_relu(Context& ctx, Matrix m, const float* bias) {
  Context::OpScope scope(ctx, "bias_relu");
  bias_relu_kernel<<<512, 256, 0, ctx.stream()>>>(m, bias);
  check(cudaGetLastError(), "bias_relu");
}

void linear(Context& ctx, Matrix a, Matrix b, const float* bias, Matrix out) {
  Context::OpScope scope(ctx, "linear");
  matmul(ctx, a, b, out);
  bias_relu(ctx, out, bias);
}

}  // namespace minirt
