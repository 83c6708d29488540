#include "block_cache.h"

namespace mem {

BlockCache& BlockCache::instance() {
  static BlockCache* cache = new BlockCache;
  return *cache;
}

cudaEvent_t BlockCache::popEvent() {
  if (events_.empty()) {
    cudaEvent_t e;
    must(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
    return e;
  }
  cudaEvent_t e = events_.back();
  events_.pop_back();
  return e;
}

Block* BlockCache::acquire(std::size_t bytes, cudaStream_t home) {
  for (auto it = idle_.begin(); it != idle_.end(); ++it) {
    Block* b = *it;
    if (b->bytes != bytes || b->home != home) continue;
    idle_.erase(it);
    for (cudaEvent_t e : b->fences) {
      must(cudaStreamWaitEvent(home, e, 0));
      events_.push_back(e);
    }
    b->fences.clear();
    return b;
  }
  auto fresh = std::make_unique<Block>();
  fresh->bytes = bytes;
  fresh->home = home;
  must(cudaMalloc(&fresh->ptr, bytes));
  owned_.push_back(std::move(fresh));
  return owned_.back().get();
}

void BlockCache::release(Block* b, const std::vector<cudaStream_t>& borrowers) {
  for (cudaStream_t s : borrowers) {
    cudaEvent_t e = popEvent();
    must(cudaEventRecord(e, s));
    b->fences.push_back(e);
  }
  idle_.push_back(b);
}

void BlockCache::trim() {
  for (Block* b : idle_) {
    for (cudaEvent_t e : b->fences) events_.push_back(e);
    b->fences.clear();
    must(cudaFree(b->ptr));
    b->ptr = nullptr;
  }
  idle_.clear();
  for (cudaEvent_t e : events_) cudaEventDestroy(e);
  events_.clear();
}

}  // namespace mem
