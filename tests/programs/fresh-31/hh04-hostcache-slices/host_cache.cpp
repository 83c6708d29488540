#include "host_cache.h"

namespace feed {

EventPool::~EventPool() {
  for (cudaEvent_t e : spare_) cudaEventDestroy(e);
}

cudaEvent_t EventPool::get() {
  if (!spare_.empty()) {
    cudaEvent_t e = spare_.back();
    spare_.pop_back();
    return e;
  }
  cudaEvent_t e;
  check(cudaEventCreateWithFlags(&e, cudaEventDisableTiming));
  return e;
}

HostBlock::HostBlock(std::size_t bytes, EventPool& events) : events_(events), size_(bytes) {
  check(cudaHostAlloc(reinterpret_cast<void**>(&data_), bytes, cudaHostAllocDefault));
}

HostBlock::~HostBlock() {
  for (cudaEvent_t e : uses_) events_.put(e);
  cudaFreeHost(data_);
}

void HostBlock::note_use(cudaStream_t stream) {
  cudaEvent_t e = events_.get();
  check(cudaEventRecord(e, stream));
  uses_.push_back(e);
}

bool HostBlock::idle() {
  while (!uses_.empty()) {
    cudaError_t state = cudaEventQuery(uses_.back());
    if (state == cudaErrorNotReady) {
      (void)cudaGetLastError();
      return false;
    }
    check(state);
    events_.put(uses_.back());
    uses_.pop_back();
  }
  return true;
}

HostCache::Lease HostCache::acquire(std::size_t bytes) {
  std::unique_ptr<HostBlock> block;
  {
    std::lock_guard<std::mutex> lock(mutex_);
    sweep();
    for (auto it = ready_.begin(); it != ready_.end(); ++it) {
      if ((*it)->size() >= bytes) {
        block = std::move(*it);
        ready_.erase(it);
        break;
      }
    }
  }
  if (!block) {
    block = std::make_unique<HostBlock>(bytes, events_);
    ++total_;
  }
  return Lease(block.release(), [this](HostBlock* b) { put_back(b); });
}

void HostCache::put_back(HostBlock* block) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto& list = block->idle() ? ready_ : parked_;
  list.emplace_front(block);
}

void HostCache::sweep() {
  for (auto it = parked_.begin(); it != parked_.end();) {
    auto next = std::next(it);
    if ((*it)->idle()) ready_.splice(ready_.end(), parked_, it);
    it = next;
  }
}

}  // namespace feed
