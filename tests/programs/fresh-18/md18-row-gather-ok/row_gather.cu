#include <cuda_runtime.h>

#include <cstdint>
#include <span>
#include <stdexcept>
#include <vector>

namespace rows {

using size_type    = std::int32_t;
using bitmask_type = std::uint32_t;

struct stream_view {
  cudaStream_t handle{};
  operator cudaStream_t() const noexcept { return handle; }
};

inline stream_view get_default_stream() noexcept { return stream_view{}; }

enum class type_id { INT32, INT64, FLOAT32, FLOAT64 };
enum class bounds_policy : bool { TRUST, NULLIFY };

struct column_view {
  type_id type;
  size_type size;
  void const* data;
  bitmask_type const* mask;  // nullptr: every row valid
};

struct mutable_column_view {
  type_id type;
  size_type size;
  void* data;
  bitmask_type* mask;
};

namespace detail {

constexpr int block_size = 256;

inline void check(cudaError_t e)
{
  if (e != cudaSuccess) { throw std::runtime_error(cudaGetErrorString(e)); }
}

constexpr unsigned grid_for(size_type n) { return static_cast<unsigned>((n + block_size - 1) / block_size); }

template <typename T, bool Check>
__global__ void gather_kernel(T const* in, size_type in_size, size_type const* map, size_type n, T* out)
{
  auto const i = static_cast<size_type>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) { return; }
  auto const src = map[i];
  if constexpr (Check) {
    out[i] = (src >= 0 && src < in_size) ? in[src] : T{};
  } else {
    out[i] = in[src];
  }
}

__global__ void gather_mask_kernel(
  bitmask_type const* in, size_type in_size, size_type const* map, size_type n, bitmask_type* out)
{
  auto const i    = static_cast<size_type>(blockIdx.x * blockDim.x + threadIdx.x);
  bool valid      = false;
  if (i < n) {
    auto const src = map[i];
    valid          = src >= 0 && src < in_size && (in == nullptr || ((in[src / 32] >> (src % 32)) & 1u));
  }
  auto const word = __ballot_sync(0xffffffffu, valid);
  if (i < n && threadIdx.x % 32 == 0) { out[i / 32] = word; }
}

void gather_bitmask(column_view const& source,
                    std::span<size_type const> map,
                    bitmask_type* out,
                    stream_view stream = get_default_stream())
{
  gather_mask_kernel<<<grid_for(static_cast<size_type>(map.size())), block_size, 0, stream.handle>>>(
    source.mask, source.size, map.data(), static_cast<size_type>(map.size()), out);
  check(cudaGetLastError());
}

struct gather_functor {
  template <typename T>
  void operator()(column_view const& source,
                  std::span<size_type const> map,
                  void* out,
                  bounds_policy policy,
                  stream_view stream) const
  {
    auto const n  = static_cast<size_type>(map.size());
    auto const in = static_cast<T const*>(source.data);
    auto* dst     = static_cast<T*>(out);
    if (policy == bounds_policy::NULLIFY) {
      gather_kernel<T, true><<<grid_for(n), block_size, 0, stream.handle>>>(in, source.size, map.data(), n, dst);
    } else {
      gather_kernel<T, false><<<grid_for(n), block_size, 0, stream.handle>>>(in, source.size, map.data(), n, dst);
    }
    check(cudaGetLastError());
  }
};

template <typename F, typename... Args>
void type_dispatch(type_id id, F f, Args&&... args)
{
  switch (id) {
    case type_id::INT32: return f.template operator()<std::int32_t>(args...);
    case type_id::INT64: return f.template operator()<std::int64_t>(args...);
    case type_id::FLOAT32: return f.template operator()<float>(args...);
    case type_id::FLOAT64: return f.template operator()<double>(args...);
  }
  throw std::invalid_argument("unsupported type");
}

void gather_column(column_view const& source,
                   std::span<size_type const> map,
                   mutable_column_view const& target,
                   bounds_policy policy,
                   stream_view stream)
{
  type_dispatch(source.type, gather_functor{}, source, map, target.data, policy, stream);
  if (target.mask != nullptr) {
    gather_bitmask(source, map, target.mask, stream);
  }
}

}  // namespace detail

// Gathers rows `map` (device memory) of every source column, asynchronously in `stream`.
void gather(std::span<column_view const> source,
            std::span<size_type const> map,
            std::span<mutable_column_view const> target,
            bounds_policy policy = bounds_policy::TRUST,
            stream_view stream   = get_default_stream())
{
  if (source.size() != target.size()) { throw std::invalid_argument("column count mismatch"); }
  if (map.empty()) { return; }
  for (std::size_t c = 0; c < source.size(); ++c) {
    if (source[c].type != target[c].type) { throw std::invalid_argument("column type mismatch"); }
    detail::gather_column(source[c], map, target[c], policy, stream);
  }
}

}  // namespace rows
