#include "pool_resource.hpp"

namespace strata {

pool_resource::~pool_resource()
{
  for (auto const& [p, bytes] : owned_) {
    upstream_->deallocate(p, bytes, nullptr);
  }
  for (auto& [stream, cache] : caches_) {
    (void)cudaEventDestroy(cache.last_free);
  }
}

pool_resource::stream_cache& pool_resource::cache_of(cudaStream_t stream)
{
  auto [it, fresh] = caches_.try_emplace(stream);
  if (fresh) {
    STRATA_TRY(cudaEventCreateWithFlags(&it->second.last_free, cudaEventDisableTiming));
  }
  return it->second;
}

void* pool_resource::take(stream_cache& cache, std::size_t bytes)
{
  auto it = cache.blocks.lower_bound(bytes);
  if (it == cache.blocks.end() || it->first > 2 * bytes) { return nullptr; }
  void* p = it->second;
  cache.blocks.erase(it);
  return p;
}

void* pool_resource::take_from_other(std::size_t bytes, cudaStream_t stream)
{
  for (auto& [owner, cache] : caches_) {
    if (owner == stream) { continue; }
    if (void* p = take(cache, bytes)) {
      STRATA_TRY(cudaStreamWaitEvent(stream, cache.last_free, 0));
      return p;
    }
  }
  return nullptr;
}

void* pool_resource::do_allocate(std::size_t bytes, cudaStream_t stream)
{
  std::lock_guard<std::mutex> lock(mutex_);
  if (void* p = take(cache_of(stream), bytes)) { return p; }
  if (void* p = take_from_other(bytes, stream)) { return p; }

  void* p = upstream_->allocate(bytes, stream);
  owned_.emplace_back(p, bytes);
  true_size_[p] = bytes;
  upstream_bytes_ += bytes;
  return p;
}

void pool_resource::do_deallocate(void* p, std::size_t, cudaStream_t stream)
{
  std::lock_guard<std::mutex> lock(mutex_);
  auto& cache = cache_of(stream);
  STRATA_TRY(cudaEventRecord(cache.last_free, stream));
  cache.blocks.emplace(true_size_.at(p), p);
}

}  // namespace strata
