#include "stream_compaction.hpp"

#include <cub/device/device_select.cuh>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/iterator/transform_iterator.h>

#include "bitmask.hpp"

namespace strata {
namespace detail {
namespace {

struct row_is_valid {
  mask_word const* mask;
  __host__ __device__ bool operator()(size_type row) const
  {
    return (mask[row / bits_per_word] >> (row % bits_per_word)) & 1u;
  }
};

__global__ void clear_below(float const* x, size_type n, float threshold, mask_word* mask)
{
  size_type const i     = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned const keep   = __ballot_sync(0xffffffffu, i < n && x[i] >= threshold);
  bool const word_owner = (threadIdx.x & 31) == 0 && i < n;
  if (word_owner) mask[i / bits_per_word] &= keep;
}

__global__ void replace_null_rows(float const* in, row_is_valid valid, size_type n, float value, float* out)
{
  size_type const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = valid(i) ? in[i] : value;
}

column copy_rows(column const& in, stream_view stream)
{
  column out(in.size(), false, stream);
  STRATA_TRY(cudaMemcpyAsync(
    out.data(), in.data(), sizeof(float) * in.size(), cudaMemcpyDeviceToDevice, stream.value()));
  return out;
}

size_type surviving_rows(column const& in, stream_view stream)
{
  return in.nullable() ? in.size() - in.null_count(stream) : in.size();
}

column compact(column const& in, size_type rows, stream_view stream)
{
  column out(rows, false, stream);
  device_buffer selected(sizeof(size_type), stream);
  auto const flags = thrust::make_transform_iterator(thrust::counting_iterator<size_type>(0), row_is_valid{in.mask()});
  auto* n_selected = static_cast<size_type*>(selected.data());

  std::size_t bytes = 0;
  STRATA_TRY(cub::DeviceSelect::Flagged(
    nullptr, bytes, in.data(), flags, out.data(), n_selected, in.size(), stream.value()));
  device_buffer temp(bytes, stream);
  STRATA_TRY(cub::DeviceSelect::Flagged(
    temp.data(), bytes, in.data(), flags, out.data(), n_selected, in.size(), stream.value()));
  return out;
}

}  // namespace
}  // namespace detail

column from_host(std::vector<float> const& values, stream_view stream)
{
  auto const n = static_cast<size_type>(values.size());
  column out(n, true, stream);
  STRATA_TRY(
    cudaMemcpyAsync(out.data(), values.data(), sizeof(float) * n, cudaMemcpyHostToDevice, stream.value()));
  detail::set_all_valid(out.mask(), n, stream);
  out.set_null_count(0);
  stream.synchronize();
  return out;
}

void nullify_below(column& col, float threshold, stream_view stream)
{
  if (!col.nullable()) throw std::invalid_argument("column has no null mask");
  detail::clear_below<<<(col.size() + 255) / 256, 256, 0, stream.value()>>>(
    col.data(), col.size(), threshold, col.mask());
  STRATA_TRY(cudaGetLastError());
  col.set_null_count(unknown_nulls);
}

column drop_nulls(column const& in, stream_view stream)
{
  size_type const rows = detail::surviving_rows(in, stream);
  if (rows == 0) return column(0, false, stream);
  if (!in.nullable()) return detail::copy_rows(in, stream);
  return detail::compact(in, rows, stream);
}

column fill_nulls(column const& in, float value, stream_view stream)
{
  if (!in.has_nulls(stream)) return detail::copy_rows(in, stream);
  column out(in.size(), false, stream);
  detail::replace_null_rows<<<(in.size() + 255) / 256, 256, 0, stream.value()>>>(
    in.data(), detail::row_is_valid{in.mask()}, in.size(), value, out.data());
  STRATA_TRY(cudaGetLastError());
  return out;
}

std::vector<float> to_host(column const& col, stream_view stream)
{
  std::vector<float> out(col.size());
  STRATA_TRY(
    cudaMemcpyAsync(out.data(), col.data(), sizeof(float) * out.size(), cudaMemcpyDeviceToHost, stream.value()));
  stream.synchronize();
  return out;
}

}  // namespace strata
