// tilestore: a fixed number of device-resident tiles with least-recently-used replacement.
//
// A cache serves the work of one stream, enqueued by one thread:
//
//   tile_cache cache(source, 16, stream);
//   {
//     auto t = cache.acquire(id);
//     kernel<<<..., stream>>>(t.data(), ...);
//   }                                   // the lease ends; the tile stays while the kernel uses it
//
// stats() may be called by any thread.
#pragma once

#include "tile_source.h"

#include <cuda_runtime.h>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tilestore {

class cuda_failure : public std::runtime_error {
 public:
  cuda_failure(cudaError_t c, const char* what) : std::runtime_error(what), code(c) {}
  cudaError_t code;
};

#define TS_CHECK(x)                                                      \
  do {                                                                   \
    if (cudaError_t ts_e_ = (x)) throw ::tilestore::cuda_failure(ts_e_, #x); \
  } while (0)

struct cache_stats {
  std::uint64_t hits = 0;
  std::uint64_t misses = 0;
  std::uint64_t evictions = 0;
  std::uint64_t retired = 0;  // leases whose work has finished on the device
  std::uint64_t in_use = 0;   // leases whose work has not
};

class tile_cache {
  struct slot;

 public:
  class lease {
   public:
    lease(lease&& o) noexcept : cache_(std::exchange(o.cache_, nullptr)), slot_(o.slot_) {}
    lease& operator=(lease&&) = delete;
    ~lease() {
      if (cache_) cache_->release(*slot_);
    }
    const float* data() const noexcept;
    std::size_t size() const noexcept;

   private:
    friend class tile_cache;
    lease(tile_cache* c, slot* s) : cache_(c), slot_(s) {}
    tile_cache* cache_;
    slot* slot_;
  };

  tile_cache(tile_source& source, std::size_t capacity, cudaStream_t stream);
  ~tile_cache();
  tile_cache(const tile_cache&) = delete;
  tile_cache& operator=(const tile_cache&) = delete;

  /// The tile is complete in stream order. Waits for a slot's earlier work when the cache is full.
  lease acquire(tile_id id);

  cache_stats stats() const;

 private:
  struct ticket;
  static void CUDART_CB retire(void* arg);

  slot& claim(std::unique_lock<std::mutex>& lock);
  void release(slot& s) noexcept;

  tile_source& source_;
  cudaStream_t stream_;
  mutable std::mutex mutex_;
  cache_stats stats_;
  std::vector<std::unique_ptr<slot>> slots_;
  std::unordered_map<tile_id, slot*> resident_;
  std::list<slot*> order_;  // front: least recently used
};

}  // namespace tilestore
