#include "pinned_staging.hpp"

namespace tabula {

cudaStream_t get_default_stream() { return cudaStreamPerThread; }

namespace detail {

staging_pool& staging_pool::instance()
{
  static staging_pool* pool = new staging_pool;  // outlives static destruction on purpose
  return *pool;
}

staging_pool::slab staging_pool::take(std::size_t bytes)
{
  {
    std::lock_guard<std::mutex> lk(mtx_);
    for (auto it = free_.begin(); it != free_.end(); ++it) {
      if (it->bytes < bytes) continue;
      if (it->fenced) {
        cudaError_t const st = cudaEventQuery(it->fence);
        if (st == cudaErrorNotReady) continue;
        TABULA_CUDA(st);
      }
      slab s = *it;
      free_.erase(it);
      s.fenced = false;
      return s;
    }
    ++created_;
  }
  constexpr std::size_t granule = 64 * 1024;
  slab s;
  s.bytes = ((bytes + granule - 1) / granule) * granule;
  TABULA_CUDA(cudaMallocHost(&s.host, s.bytes));
  TABULA_CUDA(cudaEventCreateWithFlags(&s.fence, cudaEventDisableTiming));
  return s;
}

void staging_pool::put(slab s)
{
  std::lock_guard<std::mutex> lk(mtx_);
  free_.push_front(s);
}

}  // namespace detail
}  // namespace tabula
