#include "host_cache.h"

namespace pico {

HostCache& HostCache::instance() {
  static HostCache* cache = new HostCache;
  return *cache;
}

void* HostCache::allocate(std::size_t bytes) {
  std::lock_guard<std::mutex> lock(mutex_);
  retire_events();
  auto it = free_.lower_bound(bytes);
  if (it != free_.end()) {
    void* ptr = it->second;
    free_.erase(it);
    blocks_.at(ptr).in_use = true;
    return ptr;
  }
  void* ptr = nullptr;
  check(cudaHostAlloc(&ptr, bytes, cudaHostAllocDefault));
  blocks_[ptr] = Block{bytes, true, 0};
  return ptr;
}

void HostCache::release(void* ptr) {
  std::lock_guard<std::mutex> lock(mutex_);
  Block& block = blocks_.at(ptr);
  block.in_use = false;
  if (block.events == 0) free_.emplace(block.bytes, ptr);
}

void HostCache::record(void* ptr, Stream stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  Event event;
  event.record(stream);
  blocks_.at(ptr).events++;
  pending_.push_back(Pending{std::move(event), ptr});
}

void HostCache::retire_events() {
  while (!pending_.empty() && pending_.front().event.done()) {
    void* ptr = pending_.front().ptr;
    pending_.pop_front();
    Block& block = blocks_.at(ptr);
    if (--block.events == 0 && !block.in_use) free_.emplace(block.bytes, ptr);
  }
}

}  // namespace pico
