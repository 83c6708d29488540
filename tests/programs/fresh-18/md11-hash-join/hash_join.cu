#include <cuda_runtime.h>

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace join {

struct stream_view {
  cudaStream_t s_{};
  cudaStream_t get() const { return s_; }
  void wait(cudaEvent_t e) const { check(cudaStreamWaitEvent(s_, e, 0)); }
  void record(cudaEvent_t e) const { check(cudaEventRecord(e, s_)); }

  static void check(cudaError_t e)
  {
    if (e != cudaSuccess) { throw std::runtime_error(cudaGetErrorString(e)); }
  }
};

using key_type                  = std::int64_t;
constexpr key_type empty_key    = std::numeric_limits<key_type>::min();
constexpr std::int32_t no_match = -1;

namespace detail {

struct table_ref {
  key_type* keys;
  std::int32_t* rows;
  std::uint32_t mask;
};

__host__ __device__ inline std::uint32_t mix(key_type k)
{
  auto x = static_cast<std::uint64_t>(k);
  x      = (x ^ (x >> 33)) * 0xff51afd7ed558ccdULL;
  return static_cast<std::uint32_t>(x ^ (x >> 33));
}

__global__ void clear_kernel(table_ref t)
{
  auto const i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > t.mask) { return; }
  t.keys[i] = empty_key;
  t.rows[i] = no_match;
}

__global__ void insert_kernel(table_ref t, key_type const* keys, std::int32_t n)
{
  auto const i = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= n) { return; }
  using word = unsigned long long;
  for (auto h = mix(keys[i]) & t.mask;; h = (h + 1) & t.mask) {
    auto const old = static_cast<key_type>(
      atomicCAS(reinterpret_cast<word*>(t.keys + h), static_cast<word>(empty_key), static_cast<word>(keys[i])));
    if (old == empty_key || old == keys[i]) {
      atomicMax(t.rows + h, i);
      return;
    }
  }
}

__device__ inline std::int32_t find(table_ref t, key_type key)
{
  for (auto h = mix(key) & t.mask; t.keys[h] != empty_key; h = (h + 1) & t.mask) {
    if (t.keys[h] == key) { return t.rows[h]; }
  }
  return no_match;
}

__global__ void probe_kernel(table_ref t, key_type const* keys, std::int32_t n, std::int32_t* out)
{
  auto const i = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n) { out[i] = find(t, keys[i]); }
}

__global__ void count_kernel(table_ref t, key_type const* keys, std::int32_t n, std::int32_t* count)
{
  auto const i = static_cast<std::int32_t>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < n && find(t, keys[i]) != no_match) { atomicAdd(count, 1); }
}

constexpr unsigned blocks(std::int64_t n) { return static_cast<unsigned>((n + 255) / 256); }

inline void check(cudaError_t e) { stream_view::check(e); }

}  // namespace detail

// Distinct-key build table. The build runs in a stream of the table's own, behind the
// work already in `producer`; lookups may be submitted to any stream afterwards. The
// keys must stay valid as long as the table.
class hash_table {
 public:
  hash_table(key_type const* keys, std::int32_t n, stream_view producer = {})
  {
    std::uint32_t capacity = 64;
    while (capacity < 2u * static_cast<std::uint32_t>(n)) { capacity *= 2; }
    detail::check(cudaStreamCreateWithFlags(&build_, cudaStreamNonBlocking));
    detail::check(cudaEventCreateWithFlags(&input_, cudaEventDisableTiming));
    detail::check(cudaEventCreateWithFlags(&built_, cudaEventDisableTiming));
    detail::check(cudaMalloc(reinterpret_cast<void**>(&ref_.keys), sizeof(key_type) * capacity));
    detail::check(cudaMalloc(reinterpret_cast<void**>(&ref_.rows), sizeof(std::int32_t) * capacity));
    ref_.mask = capacity - 1;

    stream_view const own{build_};
    producer.record(input_);
    own.wait(input_);
    detail::clear_kernel<<<detail::blocks(capacity), 256, 0, own.get()>>>(ref_);
    if (n > 0) { detail::insert_kernel<<<detail::blocks(n), 256, 0, own.get()>>>(ref_, keys, n); }
    detail::check(cudaGetLastError());
    own.record(built_);
  }
  hash_table(hash_table const&) = delete;
  ~hash_table()
  {
    cudaDeviceSynchronize();
    cudaFree(ref_.keys);
    cudaFree(ref_.rows);
    cudaEventDestroy(input_);
    cudaEventDestroy(built_);
    cudaStreamDestroy(build_);
  }

  // Row of the build side for each key, or no_match.
  void probe(key_type const* keys, std::int32_t n, std::int32_t* out, stream_view stream = {}) const
  {
    if (n <= 0) { return; }
    stream.wait(built_);
    detail::probe_kernel<<<detail::blocks(n), 256, 0, stream.get()>>>(ref_, keys, n, out);
    detail::check(cudaGetLastError());
  }

  // Number of matching keys, to device memory.
  void count_matches(key_type const* keys, std::int32_t n, std::int32_t* count, stream_view stream = {}) const
  {
    detail::check(cudaMemsetAsync(count, 0, sizeof(*count), stream.get()));
    if (n <= 0) { return; }
    detail::count_kernel<<<detail::blocks(n), 256, 0, stream.get()>>>(ref_, keys, n, count);
    detail::check(cudaGetLastError());
  }

 private:
  detail::table_ref ref_{};
  cudaStream_t build_{};
  cudaEvent_t input_{};
  cudaEvent_t built_{};
};

}  // namespace join
