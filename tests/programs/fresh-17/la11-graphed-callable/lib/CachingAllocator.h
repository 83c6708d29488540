#pragma once

#include "Stream.h"

#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

namespace thx {

/// Device memory cache. Blocks belong to the stream they were allocated for; use in other streams is announced by
/// recordStream() and delays the reuse until those streams have passed.
class CachingAllocator {
 public:
  static CachingAllocator& get();

  void* malloc(size_t nbytes, cudaStream_t stream);
  void free(void* ptr);
  void recordStream(void* ptr, cudaStream_t stream);

  /// While a graph is captured, freed blocks are kept for the graph.
  void beginCapture();
  std::vector<void*> endCapture();
  void releaseHeld(const std::vector<void*>& blocks);

 private:
  struct Block {
    void* ptr = nullptr;
    size_t size = 0;
    cudaStream_t stream = nullptr;
    std::set<cudaStream_t> stream_uses;
    int event_count = 0;
  };

  static size_t roundSize(size_t n) {
    return n < 512 ? 512 : (n + 511) / 512 * 512;
  }
  void insertEvents(Block* b);
  void processEvents();
  void cacheBlock(Block* b);

  std::mutex mutex_;
  std::unordered_map<void*, std::unique_ptr<Block>> all_;
  std::multimap<std::pair<cudaStream_t, size_t>, Block*> cached_;
  std::deque<std::pair<cudaEvent_t, Block*>> pending_;
  std::vector<void*> held_;
  int captures_underway_ = 0;
};

} // namespace thx
