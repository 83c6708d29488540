#include "column.hpp"

#include <algorithm>
#include <stdexcept>

namespace colframe {
namespace {

/// One source range and where it goes in the result.
struct segment {
  const std::int64_t* source;
  std::size_t rows;
  std::size_t target;
  std::size_t chunk;
};

/// One block per segment at a time.
__global__ void copy_segments(const segment* segments, std::size_t n, std::int64_t* out) {
  for (std::size_t s = blockIdx.x; s < n; s += gridDim.x) {
    const segment seg = segments[s];
    for (std::size_t i = threadIdx.x; i < seg.rows; i += blockDim.x) {
      out[seg.target + i] = seg.source[i];
    }
  }
}

/// Device copy of a host table.
template <typename T>
device_buffer to_device(const detail::host_array<T>& table, cudaStream_t stream) {
  device_buffer out(table.size() * sizeof(T), stream);
  throw_on_error(cudaMemcpyAsync(out.data(), table.data(), table.size() * sizeof(T),
                                 cudaMemcpyHostToDevice, stream),
                 "to_device");
  return out;
}

/// Fills segments by `range(i)`, which gives the slice of chunk i.
template <typename Range>
column build(const std::vector<column_view>& chunks, Range range, cudaStream_t stream) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const slice r = range(i);
    if (r.end < r.begin || r.end > chunks[i].rows) {
      throw std::out_of_range("colframe: slice beyond the rows of its chunk");
    }
    total += r.end - r.begin;
  }

  column result(total, stream);
  if (total == 0) return result;

  detail::host_array<segment> table(chunks.size(), stream);
  std::size_t target = 0;
  for (std::size_t i = 0; i < chunks.size(); ++i) {
    const slice r = range(i);
    table[i] = segment{chunks[i].values + r.begin, r.end - r.begin, target, i};
    target += r.end - r.begin;
  }

  const device_buffer d_table = to_device(table, stream);
  const unsigned blocks = static_cast<unsigned>(std::min<std::size_t>(chunks.size(), 1024));
  copy_segments<<<blocks, 128, 0, stream>>>(static_cast<const segment*>(d_table.data()),
                                            chunks.size(), result.values());
  throw_on_error(cudaGetLastError(), "copy_segments");
  return result;
}

}  // namespace

column concatenate(const std::vector<column_view>& chunks, cudaStream_t stream) {
  return build(
      chunks, [&](std::size_t i) { return slice{0, chunks[i].rows}; }, stream);
}

column concatenate_slices(const std::vector<column_view>& chunks,
                          const std::vector<slice>& slices,
                          cudaStream_t stream) {
  if (slices.size() != chunks.size()) {
    throw std::invalid_argument("colframe: one slice per chunk is needed");
  }
  return build(
      chunks, [&](std::size_t i) { return slices[i]; }, stream);
}

}  // namespace colframe
