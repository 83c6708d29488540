#include "summarise.h"

#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_reduce.cuh>

namespace segprims {
namespace {

void trim()
{
  int device = 0;
  try_cuda(cudaGetDevice(&device));
  cudaMemPool_t pool = nullptr;
  try_cuda(cudaDeviceGetDefaultMemPool(&pool, device));
  try_cuda(cudaMemPoolTrimTo(pool, 0));
}

void reduce_side(context& ctx, const int* keys, summary* result, int n, const stream_scratch& temp,
                 std::size_t bytes)
{
  std::size_t size = bytes;
  try_cuda(cub::DeviceReduce::Sum(temp.as<void>(), size, keys, &result->total, n, ctx.side()));
  size = bytes;
  try_cuda(cub::DeviceReduce::Max(temp.as<void>(), size, keys, &result->largest, n, ctx.side()));
}

}  // namespace

void summarise(context& ctx, const int* keys, int* sorted, summary* result, int n,
               cudaStream_t stream)
{
  std::size_t sum_bytes = 0, max_bytes = 0, sort_bytes = 0;
  try_cuda(cub::DeviceReduce::Sum(nullptr, sum_bytes, keys, &result->total, n, stream));
  try_cuda(cub::DeviceReduce::Max(nullptr, max_bytes, keys, &result->largest, n, stream));
  try_cuda(cub::DeviceRadixSort::SortKeys(nullptr, sort_bytes, keys, sorted, n, 0, 32, stream));
  const std::size_t reduce_bytes = sum_bytes > max_bytes ? sum_bytes : max_bytes;

  {
    stream_scratch reduce_temp(reduce_bytes, stream);
    stream_scratch sort_temp(sort_bytes, stream);

    ctx.fork(stream);
    reduce_side(ctx, keys, result, n, reduce_temp, reduce_bytes);
    try_cuda(cub::DeviceRadixSort::SortKeys(sort_temp.as<void>(), sort_bytes, keys, sorted, n, 0,
                                            32, stream));
    ctx.join(stream);
  }

  if (!capturing(stream)) {
    try_cuda(cudaStreamSynchronize(stream));
    trim();
  }
}

}  // namespace segprims
