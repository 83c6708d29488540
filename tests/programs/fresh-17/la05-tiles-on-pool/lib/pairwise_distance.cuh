#pragma once

#include "stream_resources.hpp"

#include <algorithm>
#include <cstdint>

namespace pontoon::distance {

/// Row-major device matrix that belongs to somebody else.
template <typename T>
struct matrix_view {
  T* data;
  std::int64_t rows;
  std::int64_t cols;
  T* row(std::int64_t r) const { return data + r * cols; }
};

template <typename T>
matrix_view(T*, std::int64_t, std::int64_t) -> matrix_view<T>;

namespace ops {
struct l2_sqr {
  template <typename T>
  __device__ T operator()(T acc, T a, T b) const
  {
    return acc + (a - b) * (a - b);
  }
};
struct l1 {
  template <typename T>
  __device__ T operator()(T acc, T a, T b) const
  {
    return acc + (a > b ? a - b : b - a);
  }
};
struct identity {
  template <typename T>
  __device__ T operator()(T v) const
  {
    return v;
  }
};
}  // namespace ops

namespace detail {

template <typename T, typename CoreOp, typename FinOp>
__global__ void distance_tile_kernel(T const* x, std::int64_t m, T const* y, std::int64_t n, std::int64_t k, T* out, CoreOp core, FinOp fin)
{
  std::int64_t const total = m * n;
  for (std::int64_t t = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x; t < total; t += std::int64_t{gridDim.x} * blockDim.x) {
    std::int64_t const i = t / n, j = t % n;
    T acc{0};
    for (std::int64_t c = 0; c < k; ++c) acc = core(acc, x[i * k + c], y[j * k + c]);
    out[i * n + j] = fin(acc);
  }
}

template <typename T, typename CoreOp, typename FinOp>
void distance_tile(matrix_view<T const> x, matrix_view<T const> y, T* out, CoreOp core, FinOp fin, cudaStream_t stream)
{
  int const grid = static_cast<int>(std::min<std::int64_t>((x.rows * y.rows + 255) / 256, 1024));
  if (grid == 0) return;
  distance_tile_kernel<<<grid, 256, 0, stream>>>(x.data, x.rows, y.data, y.rows, x.cols, out, core, fin);
  PONTOON_CUDA_TRY(cudaPeekAtLastError());
}

}  // namespace detail

/// out[i, j] = fin(sum_k core(x[i, k], y[j, k])), in tiles of rows of x over the stream pool if there is one.
/// Ordered on the main stream of `res`.
template <typename T, typename CoreOp = ops::l2_sqr, typename FinOp = ops::identity>
void tiled_pairwise_distance(pontoon::resources const& res,
                             matrix_view<T const> x,
                             matrix_view<T const> y,
                             matrix_view<T> out,
                             std::int64_t tile_rows = 0,
                             CoreOp core            = {},
                             FinOp fin              = {})
{
  if (x.cols != y.cols) throw exception("pairwise_distance: number of features differs");
  if (out.rows != x.rows || out.cols != y.rows) throw exception("pairwise_distance: bad output shape");
  if (tile_rows <= 0) {
    auto const parts = std::max<std::int64_t>(1, static_cast<std::int64_t>(resource::get_stream_pool_size(res)));
    tile_rows        = (x.rows + parts - 1) / parts;
  }

  std::size_t tile = 0;
  for (std::int64_t r = 0; r < x.rows; r += tile_rows, ++tile) {
    auto const stream = resource::get_next_usable_stream(res, tile);
    matrix_view<T const> part{x.row(r), std::min(tile_rows, x.rows - r), x.cols};
    detail::distance_tile(part, y, out.row(r), core, fin, stream);
  }
  resource::wait_stream_on_stream_pool(res);
}

}  // namespace pontoon::distance
