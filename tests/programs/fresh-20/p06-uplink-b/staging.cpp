#include "staging.h"

#include <algorithm>

#define UPLINK_RETURN_IF(expr)                    \
  do {                                            \
    const cudaError_t uplink_e_ = (expr);         \
    if (uplink_e_ != cudaSuccess) return uplink_e_; \
  } while (0)

namespace uplink {

StagingPool::~StagingPool() {
  for (auto& s : all_) {
    if (s->sent) cudaEventDestroy(s->sent);
    if (s->data) cudaFreeHost(s->data);
  }
}

cudaError_t StagingPool::init(int slots, size_t slot_bytes) {
  slot_bytes_ = slot_bytes;
  all_.reserve(slots);
  free_.reserve(slots);
  for (int i = 0; i < slots; ++i) {
    all_.emplace_back(new Slot);
    Slot* s = all_.back().get();
    s->owner = this;
    UPLINK_RETURN_IF(cudaMallocHost(&s->data, slot_bytes));
    UPLINK_RETURN_IF(cudaEventCreateWithFlags(&s->sent, cudaEventDisableTiming));
    free_.push_back(s);
  }
  return cudaSuccess;
}

cudaError_t StagingPool::acquire(Slot** slot) {
  std::unique_lock<std::mutex> lock(mu_);
  if (free_.empty()) ++stats_.stalls;
  while (free_.empty()) {
    const Slot* oldest = in_flight_.front();
    lock.unlock();
    UPLINK_RETURN_IF(cudaEventSynchronize(oldest->sent));
    lock.lock();
  }
  *slot = free_.back();
  free_.pop_back();
  return cudaSuccess;
}

cudaError_t StagingPool::release_in(Slot* slot, cudaStream_t stream) {
  {
    std::lock_guard<std::mutex> lock(mu_);
    in_flight_.push_back(slot);
  }
  UPLINK_RETURN_IF(cudaLaunchHostFunc(stream, &StagingPool::on_sent, slot));
  return cudaEventRecord(slot->sent, stream);
}

void CUDART_CB StagingPool::on_sent(void* arg) {
  Slot* slot = static_cast<Slot*>(arg);
  slot->owner->give_back(slot);
}

void StagingPool::give_back(Slot* slot) {
  std::lock_guard<std::mutex> lock(mu_);
  in_flight_.erase(std::remove(in_flight_.begin(), in_flight_.end(), slot), in_flight_.end());
  stats_.bytes += slot->used;
  ++stats_.chunks;
  free_.push_back(slot);
}

cudaError_t StagingPool::drain() {
  for (auto& s : all_) UPLINK_RETURN_IF(cudaEventSynchronize(s->sent));
  return cudaSuccess;
}

uplink_stats StagingPool::stats() const {
  std::lock_guard<std::mutex> lock(mu_);
  return stats_;
}

}  // namespace uplink
