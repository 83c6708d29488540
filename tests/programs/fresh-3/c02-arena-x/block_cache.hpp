#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <list>
#include <map>
#include <mutex>
#include <unordered_map>

namespace mr {

void throw_on_error(cudaError_t e);

// Stream-ordered caching memory resource. Blocks are binned by power-of-two size and handed out
// again as soon as they have been returned, also to other streams.
class block_cache {
 public:
  block_cache() = default;
  ~block_cache();
  block_cache(block_cache const&) = delete;
  block_cache& operator=(block_cache const&) = delete;

  void* allocate(std::size_t bytes, cudaStream_t stream);
  void deallocate(void* p, cudaStream_t stream);

  struct statistics {
    std::size_t device_allocations = 0;
    std::size_t reused_same_stream = 0;
    std::size_t reused_other_stream = 0;
  };
  statistics stats() const;

 private:
  struct block {
    void* ptr = nullptr;
    std::size_t bin = 0;
    cudaStream_t owner = nullptr;
    cudaEvent_t released = nullptr;
  };
  using bin_list = std::list<block>;

  static std::size_t bin_for(std::size_t bytes);
  block grow(std::size_t bin);

  mutable std::mutex mutex_;
  std::map<std::size_t, bin_list> free_;
  std::unordered_map<void*, block> live_;
  statistics stats_;
};

}  // namespace mr
