#pragma once

#include "memory_resource.hpp"

#include <cstddef>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

namespace strata {

/// Pool with one free list per stream. A request is served from the list of its own stream when
/// possible, then from the lists of the other streams, then from upstream.
class pool_resource final : public memory_resource {
 public:
  explicit pool_resource(memory_resource* upstream) : upstream_(upstream) {}
  ~pool_resource() override;

  pool_resource(pool_resource const&)            = delete;
  pool_resource& operator=(pool_resource const&) = delete;

  std::size_t upstream_bytes() const noexcept { return upstream_bytes_; }

 private:
  struct stream_cache {
    std::multimap<std::size_t, void*> blocks;
    cudaEvent_t last_free{nullptr};
  };

  void* do_allocate(std::size_t bytes, cudaStream_t stream) override;
  void do_deallocate(void* p, std::size_t bytes, cudaStream_t stream) override;

  stream_cache& cache_of(cudaStream_t stream);
  void* take(stream_cache& cache, std::size_t bytes);
  void* take_from_other(std::size_t bytes, cudaStream_t stream);

  memory_resource* upstream_;
  std::mutex mutex_;
  std::unordered_map<cudaStream_t, stream_cache> caches_;
  std::vector<std::pair<void*, std::size_t>> owned_;
  std::unordered_map<void*, std::size_t> true_size_;
  std::size_t upstream_bytes_{0};
};

}  // namespace strata
