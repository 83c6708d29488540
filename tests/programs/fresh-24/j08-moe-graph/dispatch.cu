#include "dispatch.hpp"

#include <thrust/functional.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/scan.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/transform.h>
#include <thrust/transform_reduce.h>

#include "exec.hpp"

namespace moe {
namespace detail {

enum slot : std::size_t { keys, rows, starts, kept };

__global__ void find_starts(int const* sorted, int n, int experts, int* starts)
{
  int const e = blockIdx.x * blockDim.x + threadIdx.x;
  if (e > experts) return;
  int lo = 0, hi = n;
  while (lo < hi) {
    int const mid = (lo + hi) / 2;
    if (sorted[mid] < e) lo = mid + 1;
    else hi = mid;
  }
  starts[e] = lo;
}

__global__ void pick_rows(int const* rows, int const* starts, int const* offsets, int* order)
{
  int const e    = blockIdx.y;
  int const take = offsets[e + 1] - offsets[e];
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < take; i += gridDim.x * blockDim.x)
    order[offsets[e] + i] = rows[starts[e] + i];
}

__global__ void gather_rows(float const* src, int width, int const* order, int const* total, float* dst)
{
  int const n = *total;
  for (int r = blockIdx.x; r < n; r += gridDim.x)
    for (int c = threadIdx.x; c < width; c += blockDim.x)
      dst[static_cast<std::size_t>(r) * width + c] = src[static_cast<std::size_t>(order[r]) * width + c];
}

struct capped_load {
  int const* starts;
  int experts;
  int capacity;
  __host__ __device__ int operator()(int e) const
  {
    if (e >= experts) return 0;
    int const load = starts[e + 1] - starts[e];
    return load < capacity ? load : capacity;
  }
};

struct load_of {
  int const* offsets;
  __host__ __device__ int operator()(int e) const { return offsets[e + 1] - offsets[e]; }
};

void sort_tokens(context& ctx, int const* expert_of_token, int n, int* keys, int* rows)
{
  check(cudaMemcpyAsync(keys, expert_of_token, sizeof(int) * n, cudaMemcpyDeviceToDevice, ctx.stream()), "dispatch");
  thrust::sequence(policy_nosync(ctx), rows, rows + n);
  thrust::stable_sort_by_key(policy_nosync(ctx), keys, keys + n, rows);
}

void limit_experts(context& ctx, int const* starts, int const* rows, dispatch_options const& opt, routing out)
{
  int* const kept = ctx.ints(slot::kept, opt.experts + 1);
  thrust::counting_iterator<int> const e(0);
  thrust::transform(
    policy_nosync(ctx), e, e + opt.experts + 1, kept, capped_load{starts, opt.experts, opt.capacity});
  thrust::exclusive_scan(policy_nosync(ctx), kept, kept + opt.experts + 1, out.offsets);
  dim3 const grid(16, opt.experts);
  pick_rows<<<grid, 128, 0, ctx.stream()>>>(rows, starts, out.offsets, out.order);
  check(cudaGetLastError(), "pick_rows");
}

void keep_all(context& ctx, int const* starts, int const* rows, int n, dispatch_options const& opt, routing out)
{
  auto const s = ctx.stream();
  check(cudaMemcpyAsync(out.offsets, starts, sizeof(int) * (opt.experts + 1), cudaMemcpyDeviceToDevice, s), "offsets");
  check(cudaMemcpyAsync(out.order, rows, sizeof(int) * n, cudaMemcpyDeviceToDevice, s), "order");
}

}  // namespace detail

void dispatch(context& ctx, int const* expert_of_token, int tokens, dispatch_options const& opt, routing out)
{
  using detail::slot;
  if (tokens <= 0 || opt.experts <= 0) throw std::invalid_argument("dispatch: nothing to route");
  int* const keys   = ctx.ints(slot::keys, tokens);
  int* const rows   = ctx.ints(slot::rows, tokens);
  int* const starts = ctx.ints(slot::starts, opt.experts + 1);

  detail::sort_tokens(ctx, expert_of_token, tokens, keys, rows);
  detail::find_starts<<<(opt.experts + 64) / 64, 64, 0, ctx.stream()>>>(keys, tokens, opt.experts, starts);
  check(cudaGetLastError(), "find_starts");

  if (opt.capacity > 0) detail::limit_experts(ctx, starts, rows, opt, out);
  else detail::keep_all(ctx, starts, rows, tokens, opt, out);
}

void permute_rows(
  context& ctx, float const* src, int width, int tokens, dispatch_options const& opt, routing map, float* dst)
{
  int const blocks = tokens < 1024 ? tokens : 1024;
  detail::gather_rows<<<blocks, 128, 0, ctx.stream()>>>(src, width, map.order, map.offsets + opt.experts, dst);
  check(cudaGetLastError(), "permute_rows");
}

int max_load(context& ctx, routing map, dispatch_options const& opt)
{
  thrust::counting_iterator<int> const e(0);
  return thrust::transform_reduce(
    policy(ctx), e, e + opt.experts, detail::load_of{map.offsets}, 0, thrust::maximum<int>{});
}

}  // namespace moe
