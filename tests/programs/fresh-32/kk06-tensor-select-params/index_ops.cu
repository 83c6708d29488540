#include "index_ops.hpp"

#include <algorithm>

namespace tr {
namespace {

struct index_pack {
  static constexpr int capacity = 64;
  int count;
  int32_t row[capacity];
};

__global__ void unpack_kernel(index_pack pack, int32_t* index) {
  int const i = threadIdx.x;
  if (i < pack.count) index[i] = pack.row[i];
}

__global__ void select_kernel(float const* src, int64_t rows, int64_t cols, int32_t const* index,
                              int n, float* out) {
  int const r = blockIdx.x;
  if (r >= n) return;
  int32_t const from = index[r];
  bool const valid = from >= 0 && from < rows;
  for (int64_t c = threadIdx.x; c < cols; c += blockDim.x)
    out[r * cols + c] = valid ? src[from * cols + c] : 0.f;
}

__global__ void axpy_kernel(float alpha, float const* x, float* y, int64_t n) {
  int64_t const i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < n) y[i] += alpha * x[i];
}

__global__ void fill_kernel(float value, float* y, int64_t n) {
  int64_t const i = blockIdx.x * int64_t{blockDim.x} + threadIdx.x;
  if (i < n) y[i] = value;
}

int blocks(int64_t n) { return static_cast<int>((n + 255) / 256); }

int32_t wrap(int64_t i, int64_t rows) {
  if (i < -rows || i >= rows) throw std::out_of_range("index_select: index out of range");
  return static_cast<int32_t>(i < 0 ? i + rows : i);
}

}  // namespace

void index_select(context& ctx, tensor const& src, std::vector<int64_t> const& index,
                  tensor& out) {
  int const n = static_cast<int>(index.size());
  if (n > ctx.max_indices()) throw std::invalid_argument("index_select: too many indices");
  if (out.rows() != n || out.cols() != src.cols())
    throw std::invalid_argument("index_select: shape of out");
  if (n == 0) return;

  for (int first = 0; first < n; first += index_pack::capacity) {
    index_pack pack{};
    pack.count = std::min(n - first, index_pack::capacity);
    for (int i = 0; i < pack.count; ++i) pack.row[i] = wrap(index[first + i], src.rows());
    unpack_kernel<<<1, index_pack::capacity, 0, ctx.stream()>>>(pack, ctx.index_scratch() + first);
    TR_CHECK(cudaGetLastError());
  }
  select_kernel<<<n, 128, 0, ctx.stream()>>>(src.data(), src.rows(), src.cols(),
                                             ctx.index_scratch(), n, out.data());
  TR_CHECK(cudaGetLastError());
}

void axpy(context& ctx, float alpha, tensor const& src, tensor& dst) {
  int64_t const n = dst.rows() * dst.cols();
  if (src.rows() != dst.rows() || src.cols() != dst.cols())
    throw std::invalid_argument("axpy: shapes differ");
  axpy_kernel<<<blocks(n), 256, 0, ctx.stream()>>>(alpha, src.data(), dst.data(), n);
  TR_CHECK(cudaGetLastError());
}

void fill(context& ctx, float value, tensor& dst) {
  int64_t const n = dst.rows() * dst.cols();
  fill_kernel<<<blocks(n), 256, 0, ctx.stream()>>>(value, dst.data(), n);
  TR_CHECK(cudaGetLastError());
}

}  // namespace tr
