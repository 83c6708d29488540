#include "algorithms.cuh"

namespace grove
{
namespace
{

struct key_of
{
  __host__ __device__ std::int64_t operator()(const record& r) const
  {
    return r.key;
  }
};

} // namespace

void sort_records_async(const execution_context& ctx, record* first, std::size_t n)
{
  stable_sort_async(ctx, first, n, by_key{});
}

void extract_keys_async(const execution_context& ctx, const record* first, std::size_t n, std::int64_t* keys)
{
  transform_async(ctx, first, n, keys, key_of{});
}

void exclusive_sum_async(const execution_context& ctx, const std::int64_t* in, std::size_t n, std::int64_t* out)
{
  stream_allocator alloc = ctx.allocator();
  thrust::exclusive_scan(
    thrust::cuda::par_nosync(alloc).on(ctx.stream()),
    thrust::device_pointer_cast(in),
    thrust::device_pointer_cast(in + n),
    thrust::device_pointer_cast(out),
    std::int64_t{0});
}

} // namespace grove
