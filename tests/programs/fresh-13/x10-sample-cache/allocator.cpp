#include "allocator.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace rnd {

void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

CachingAllocator& CachingAllocator::get() {
  static CachingAllocator* instance = new CachingAllocator;
  return *instance;
}

std::shared_ptr<void> CachingAllocator::allocate(std::size_t bytes, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mu_);
  poll();
  Block* block = nullptr;
  auto it = std::find_if(free_.begin(), free_.end(), [&](const Block* b) {
    return b->owner == stream && b->bytes >= bytes;
  });
  if (it != free_.end()) {
    block = *it;
    free_.erase(it);
  } else {
    block = new Block{nullptr, bytes, stream, {}, 0};
    check(cudaMalloc(&block->ptr, bytes));
    reserved_ += bytes;
  }
  live_[block->ptr] = block;
  return std::shared_ptr<void>(block->ptr, [this, block](void*) { give_back(block); });
}

void CachingAllocator::record_stream(const std::shared_ptr<void>& handle, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mu_);
  Block* block = live_.at(handle.get());
  if (stream != block->owner) block->users.insert(stream);
}

void CachingAllocator::give_back(Block* block) {
  std::lock_guard<std::mutex> lock(mu_);
  live_.erase(block->ptr);
  for (cudaStream_t user : block->users) {
    cudaEvent_t event;
    if (events_.empty()) {
      check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
    } else {
      event = events_.back();
      events_.pop_back();
    }
    check(cudaEventRecord(event, user));
    outstanding_.push_back({event, block});
    ++block->pending;
  }
  block->users.clear();
  if (block->pending == 0) free_.push_back(block);
}

void CachingAllocator::poll() {
  std::deque<Outstanding> keep;
  for (Outstanding& o : outstanding_) {
    const cudaError_t state = cudaEventQuery(o.event);
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();
      keep.push_back(o);
      continue;
    }
    check(state);
    events_.push_back(o.event);
    if (--o.block->pending == 0) free_.push_back(o.block);
  }
  outstanding_.swap(keep);
}

void CachingAllocator::release_cached() {
  check(cudaDeviceSynchronize());
  std::lock_guard<std::mutex> lock(mu_);
  poll();
  for (Block* block : free_) {
    check(cudaFree(block->ptr));
    reserved_ -= block->bytes;
    delete block;
  }
  free_.clear();
  for (cudaEvent_t event : events_) check(cudaEventDestroy(event));
  events_.clear();
}

}  // namespace rnd
