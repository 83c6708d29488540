#include "column.hpp"
#include "pinned_staging.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace tabula {
namespace detail {
namespace {

constexpr int block_size = 256;

/// One input column and the output rows it fills.
struct source {
  void const* data;
  size_type begin;
  size_type end;
};

/// One thread per output row; the source column is found by binary search.
template <typename T>
__global__ void fused_concatenate_kernel(source const* sources, int num_sources, T* out, size_type out_rows)
{
  for (size_type row = blockIdx.x * blockDim.x + threadIdx.x; row < out_rows; row += gridDim.x * blockDim.x) {
    int lo = 0, hi = num_sources;
    while (hi - lo > 1) {
      int const mid = (lo + hi) / 2;
      if (sources[mid].begin <= row) lo = mid;
      else hi = mid;
    }
    out[row] = static_cast<T const*>(sources[lo].data)[row - sources[lo].begin];
  }
}

template <typename T>
void launch(dbuf const& sources, int num_sources, void* out, size_type rows, cudaStream_t stream)
{
  int const grid = std::min((rows + block_size - 1) / block_size, 4096);
  fused_concatenate_kernel<T>
    <<<grid, block_size, 0, stream>>>(sources.as<source>(), num_sources, static_cast<T*>(out), rows);
  TABULA_CUDA(cudaGetLastError());
}

dbuf make_sources(std::vector<column_view> const& views, cudaStream_t stream)
{
  staging_vector<source> h_sources(views.size());
  size_type begin = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    h_sources[i] = source{views[i].head(), begin, begin + views[i].size()};
    begin += views[i].size();
  }
  return h_sources.to_device(stream);
}

}  // namespace
}  // namespace detail

size_type total_rows(std::vector<column_view> const& views)
{
  return std::accumulate(views.begin(), views.end(), size_type{0}, [](size_type a, column_view const& v) { return a + v.size(); });
}

std::unique_ptr<column> make_column(std::vector<std::int64_t> const& values, cudaStream_t stream)
{
  detail::staging_vector<std::int64_t> host(values.size());
  std::memcpy(host.data(), values.data(), host.size_bytes());
  dbuf data = host.to_device(stream);
  host.used_by(stream);
  return std::make_unique<column>(type_id::INT64, static_cast<size_type>(values.size()), std::move(data));
}

std::unique_ptr<column> concatenate(std::vector<column_view> const& views, cudaStream_t stream)
{
  if (views.empty()) throw std::invalid_argument("concatenate: no columns");
  type_id const type = views.front().type();
  for (auto const& v : views)
    if (v.type() != type) throw std::invalid_argument("concatenate: type mismatch");

  size_type const rows = total_rows(views);
  auto out = std::make_unique<column>(type, rows, dbuf(static_cast<std::size_t>(rows) * size_of(type), stream));
  if (rows == 0) return out;

  dbuf sources = detail::make_sources(views, stream);
  int const n  = static_cast<int>(views.size());
  switch (type) {
    case type_id::INT32: detail::launch<std::int32_t>(sources, n, out->mutable_head(), rows, stream); break;
    case type_id::INT64: detail::launch<std::int64_t>(sources, n, out->mutable_head(), rows, stream); break;
    case type_id::FLOAT64: detail::launch<double>(sources, n, out->mutable_head(), rows, stream); break;
    default: throw std::invalid_argument("concatenate: unsupported type");
  }
  return out;
}

}  // namespace tabula
