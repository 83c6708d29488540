#include "staging.hpp"

#include <algorithm>

namespace gblas {
namespace {

constexpr std::size_t granule = 4096;

std::size_t rounded(std::size_t bytes)
{
  return std::max(granule, (bytes + granule - 1) / granule * granule);
}

}  // namespace

staging_cache& staging_cache::instance()
{
  static staging_cache* const cache = new staging_cache;
  return *cache;
}

bool staging_cache::usable(block const& b, std::size_t bytes) const
{
  if (b.size < bytes || b.size > 8 * bytes) return false;
  cudaError_t const state = cudaEventQuery(b.consumed);
  if (state == cudaErrorNotReady) (void)cudaGetLastError();
  return state == cudaSuccess;
}

staging_cache::lease staging_cache::borrow(std::size_t bytes, cudaStream_t stream)
{
  bytes = rounded(bytes);
  {
    std::lock_guard<std::mutex> hold(lock_);
    auto const it =
      std::find_if(idle_.begin(), idle_.end(), [&](block const& b) { return usable(b, bytes); });
    if (it != idle_.end()) {
      block b  = *it;
      b.stream = stream;
      idle_.erase(it);
      return lease(this, b);
    }
  }

  block fresh;
  fresh.size   = bytes;
  fresh.stream = stream;
  if (cudaHostAlloc(&fresh.host, fresh.size, cudaHostAllocDefault) != cudaSuccess) return {};
  if (cudaEventCreateWithFlags(&fresh.consumed, cudaEventDisableTiming) != cudaSuccess) {
    cudaFreeHost(fresh.host);
    return {};
  }
  return lease(this, fresh);
}

void staging_cache::put_back(block const& b)
{
  cudaEventRecord(b.consumed, b.stream);
  std::lock_guard<std::mutex> hold(lock_);
  idle_.push_front(b);
}

void staging_cache::trim()
{
  std::lock_guard<std::mutex> hold(lock_);
  for (block& b : idle_) {
    cudaEventSynchronize(b.consumed);
    cudaEventDestroy(b.consumed);
    cudaFreeHost(b.host);
  }
  idle_.clear();
}

}  // namespace gblas
