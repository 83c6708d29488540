#include "vicinity_brute_force.hpp"

#include <algorithm>
#include <cfloat>

namespace vicinity::neighbors::brute_force {
namespace detail {

constexpr int kDim = 32;

__global__ void row_norms(float const* x, std::int64_t rows, float* norms) {
  std::int64_t const r = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (r >= rows) { return; }
  float sum = 0.f;
  for (int d = 0; d < kDim; ++d) { sum += x[r * kDim + d] * x[r * kDim + d]; }
  norms[r] = sum;
}

__global__ void nearest_l2(float const* dataset, float const* norms, std::int64_t rows, float const* queries,
                           std::int64_t n_queries, std::int64_t* neighbors, float* distances) {
  std::int64_t const q = blockIdx.x * static_cast<std::int64_t>(blockDim.x) + threadIdx.x;
  if (q >= n_queries) { return; }
  float query[kDim];
  for (int d = 0; d < kDim; ++d) { query[d] = queries[q * kDim + d]; }
  float best = FLT_MAX;
  std::int64_t best_row = -1;
  for (std::int64_t r = 0; r < rows; ++r) {
    float dot = 0.f;
    for (int d = 0; d < kDim; ++d) { dot += query[d] * dataset[r * kDim + d]; }
    float const dist = norms[r] - 2.f * dot;
    if (dist < best) {
      best = dist;
      best_row = r;
    }
  }
  neighbors[q] = best_row;
  distances[q] = best;
}

}  // namespace detail

index::index(resources const& res, device_matrix<float> const& dataset)
  : dataset_(dataset), norms_(dataset.extent(0), 1) {
  if (dataset.extent(1) != detail::kDim) { throw std::invalid_argument("unsupported dimension"); }
  auto const rows = dataset.extent(0);
  detail::row_norms<<<(rows + 255) / 256, 256, 0, resource::get_cuda_stream(res)>>>(
    dataset.data_handle(), rows, norms_.data_handle());
  VICINITY_CUDA_TRY(cudaGetLastError());
}

void search(resources const& res, search_params const& params, index const& idx,
            device_matrix<float> const& queries, device_matrix<std::int64_t>& neighbors,
            device_matrix<float>& distances) {
  resource::wait_stream_pool_on_stream(res);
  auto const n = queries.extent(0);
  for (std::int64_t first = 0, batch = 0; first < n; first += params.batch_rows, ++batch) {
    auto const rows = std::min(params.batch_rows, n - first);
    auto const stream = resource::get_next_usable_stream(res, batch);
    detail::nearest_l2<<<(rows + 127) / 128, 128, 0, stream>>>(
      idx.dataset().data_handle(), idx.norms().data_handle(), idx.dataset().extent(0),
      queries.data_handle() + first * detail::kDim, rows, neighbors.data_handle() + first,
      distances.data_handle() + first);
    VICINITY_CUDA_TRY(cudaGetLastError());
  }
}

}  // namespace vicinity::neighbors::brute_force
