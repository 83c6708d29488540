#pragma once
// A caching allocator. Blocks belong to the stream they were asked for on; other streams that
// touch a block are recorded with it.
#include <cuda_runtime_api.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <vector>

namespace rnd {

void check(cudaError_t status);

class CachingAllocator {
 public:
  static CachingAllocator& get();

  std::shared_ptr<void> allocate(std::size_t bytes, cudaStream_t stream);
  void record_stream(const std::shared_ptr<void>& block, cudaStream_t stream);
  void release_cached();
  std::size_t reserved() const { return reserved_; }

 private:
  struct Block {
    void* ptr;
    std::size_t bytes;
    cudaStream_t owner;
    std::set<cudaStream_t> users;
    int pending = 0;
  };
  struct Outstanding {
    cudaEvent_t event;
    Block* block;
  };

  CachingAllocator() = default;
  void give_back(Block* block);
  void poll();

  std::mutex mu_;
  std::vector<Block*> free_;
  std::deque<Outstanding> outstanding_;
  std::unordered_map<void*, Block*> live_;
  std::vector<cudaEvent_t> events_;
  std::size_t reserved_ = 0;
};

}  // namespace rnd
