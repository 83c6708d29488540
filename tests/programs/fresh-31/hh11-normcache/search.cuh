#pragma once
#include "norm_cache.cuh"

namespace knn {

/// Scores of all rows of a data set for one query; device pointers, ordered in stream `lane`.
inline void score(
  handle_t& handle, int lane, matrix_view const& dataset, float const* query, metric kind, float* out)
{
  cudaStream_t s       = handle.get_stream(lane);
  auto const& norms    = handle.get_resource<norm_cache>().get(dataset, kind, s);
  int const blocks     = (dataset.rows + 127) / 128;
  detail::score_rows<<<blocks, 128, 0, s>>>(
    dataset.data, dataset.rows, dataset.dims, query, norms.values(), kind == metric::cosine, out);
  check(cudaGetLastError());
}

}  // namespace knn
