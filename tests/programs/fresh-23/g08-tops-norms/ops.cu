#include "ops.hpp"

#include <cfloat>

namespace tops {
namespace {

constexpr int rows_per_chunk = 64;

int chunks_of(int rows) { return (rows + rows_per_chunk - 1) / rows_per_chunk; }

dim3 cover(int rows, int cols) { return dim3((cols + 31) / 32, (rows + 7) / 8); }
constexpr dim3 cover_block() { return dim3(32, 8); }

__global__ void partial_sums(matrix_ref<const float> in, float* partial) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= in.cols) return;
  const int first = blockIdx.y * rows_per_chunk;
  const int last = min(first + rows_per_chunk, in.rows);
  float sum = 0.0f;
  for (int r = first; r < last; ++r) sum += in.data[std::size_t(r) * in.ld + c];
  partial[std::size_t(blockIdx.y) * in.cols + c] = sum;
}

__global__ void finish_sums(const float* partial, int chunks, int cols, float* out) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  if (c >= cols) return;
  float sum = 0.0f;
  for (int k = 0; k < chunks; ++k) sum += partial[std::size_t(k) * cols + c];
  out[c] = sum;
}

__global__ void subtract_mean(matrix_ref<const float> in, const float* sums, matrix_ref<float> out) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < in.rows && c < in.cols)
    out.data[std::size_t(r) * out.ld + c] = in.data[std::size_t(r) * in.ld + c] - sums[c] / float(in.rows);
}

__global__ void affine_kernel(matrix_ref<const float> in, float alpha, float beta, matrix_ref<float> out) {
  const int c = blockIdx.x * blockDim.x + threadIdx.x;
  const int r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r < in.rows && c < in.cols)
    out.data[std::size_t(r) * out.ld + c] = alpha * in.data[std::size_t(r) * in.ld + c] + beta;
}

/// One warp for each row.
__global__ void softmax_kernel(matrix_ref<const float> in, matrix_ref<float> out) {
  const int r = blockIdx.x;
  const float* row = in.data + std::size_t(r) * in.ld;
  float top = -FLT_MAX;
  for (int c = threadIdx.x; c < in.cols; c += 32) top = fmaxf(top, row[c]);
  for (int d = 16; d > 0; d /= 2) top = fmaxf(top, __shfl_xor_sync(0xffffffffu, top, d));
  float sum = 0.0f;
  for (int c = threadIdx.x; c < in.cols; c += 32) sum += expf(row[c] - top);
  for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, d);
  for (int c = threadIdx.x; c < in.cols; c += 32) out.data[std::size_t(r) * out.ld + c] = expf(row[c] - top) / sum;
}

void sum_columns(cudaStream_t stream, matrix_ref<const float> in, float* partial, float* out) {
  const int chunks = chunks_of(in.rows);
  partial_sums<<<dim3((in.cols + 127) / 128, chunks), 128, 0, stream>>>(in, partial);
  check(cudaGetLastError());
  finish_sums<<<(in.cols + 127) / 128, 128, 0, stream>>>(partial, chunks, in.cols, out);
  check(cudaGetLastError());
}

template <class A, class B>
void same_shape(const matrix_ref<A>& a, const matrix_ref<B>& b) {
  if (a.rows != b.rows || a.cols != b.cols) throw std::invalid_argument("shapes differ");
}

}  // namespace

void column_sum(context& ctx, matrix_ref<const float> in, float* out) {
  float* partial = ctx.scratch<float>(std::size_t(chunks_of(in.rows)) * in.cols);
  sum_columns(ctx.stream(), in, partial, out);
}

void center_columns(context& ctx, matrix_ref<const float> in, matrix_ref<float> out) {
  same_shape(in, out);
  float* sums = ctx.scratch<float>(std::size_t(chunks_of(in.rows) + 1) * in.cols);
  sum_columns(ctx.stream(), in, sums + in.cols, sums);
  subtract_mean<<<cover(in.rows, in.cols), cover_block(), 0, ctx.stream()>>>(in, sums, out);
  check(cudaGetLastError());
}

void row_softmax(context& ctx, matrix_ref<const float> in, matrix_ref<float> out) {
  same_shape(in, out);
  softmax_kernel<<<in.rows, 32, 0, ctx.stream()>>>(in, out);
  check(cudaGetLastError());
}

void affine(context& ctx, matrix_ref<const float> in, float alpha, float beta, matrix_ref<float> out) {
  same_shape(in, out);
  affine_kernel<<<cover(in.rows, in.cols), cover_block(), 0, ctx.stream()>>>(in, alpha, beta, out);
  check(cudaGetLastError());
}

}  // namespace tops
