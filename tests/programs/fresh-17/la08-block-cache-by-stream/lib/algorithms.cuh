#pragma once

#include "block_cache.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform.h>

#include <cstdint>

namespace grove
{

/*! \brief Where algorithms run and where they take their temporary storage from. */
class execution_context
{
public:
  execution_context(block_cache& cache, cudaStream_t stream)
      : cache_(&cache)
      , stream_(stream)
  {}

  cudaStream_t stream() const
  {
    return stream_;
  }

  stream_allocator allocator() const
  {
    return stream_allocator(*cache_, stream_);
  }

  void wait() const
  {
    throw_on_error(cudaStreamSynchronize(stream_), "execution_context::wait");
  }

private:
  block_cache* cache_;
  cudaStream_t stream_;
};

struct record
{
  std::int64_t key;
  std::int64_t payload;
};

struct by_key
{
  __host__ __device__ bool operator()(const record& a, const record& b) const
  {
    return a.key < b.key;
  }
};

/*! \brief Stable sort of `[first, first + n)` by `compare`; asynchronous with the host, ordered on the context's stream. */
template <typename T, typename Compare>
void stable_sort_async(const execution_context& ctx, T* first, std::size_t n, Compare compare)
{
  if (n < 2)
  {
    return;
  }
  stream_allocator alloc = ctx.allocator();
  thrust::stable_sort(
    thrust::cuda::par_nosync(alloc).on(ctx.stream()),
    thrust::device_pointer_cast(first),
    thrust::device_pointer_cast(first + n),
    compare);
}

/*! \brief out[i] = op(first[i]). */
template <typename In, typename Out, typename Op>
void transform_async(const execution_context& ctx, const In* first, std::size_t n, Out* out, Op op)
{
  thrust::transform(
    thrust::cuda::par_nosync.on(ctx.stream()),
    thrust::device_pointer_cast(first),
    thrust::device_pointer_cast(first + n),
    thrust::device_pointer_cast(out),
    op);
}

void sort_records_async(const execution_context& ctx, record* first, std::size_t n);
void extract_keys_async(const execution_context& ctx, const record* first, std::size_t n, std::int64_t* keys);
void exclusive_sum_async(const execution_context& ctx, const std::int64_t* in, std::size_t n, std::int64_t* out);

} // namespace grove
