#pragma once
#include <memory>
#include <utility>
#include <vector>

#include "md_types.h"

namespace md {
/// One instantiated step graph with the parameter block it reads.
struct ReplaySlot {
  StepParams* host = nullptr;
  StepParams* device = nullptr;
  cudaGraphExec_t exec = nullptr;
  cudaEvent_t done = nullptr;
};

/// Exclusive use of a slot; hands the slot back to the ring, in stream order, at end of scope.
class Ticket {
 public:
  Ticket(ReplaySlot* slot, cudaStream_t stream) : slot_(slot), stream_(stream) {}
  Ticket(Ticket&& other) noexcept
      : slot_(std::exchange(other.slot_, nullptr)), stream_(other.stream_) {}
  ~Ticket() {
    if (slot_) cudaEventRecord(slot_->done, stream_);
  }
  ReplaySlot* slot() const { return slot_; }
  StepParams& params() const { return *slot_->host; }
 private:
  ReplaySlot* slot_;
  cudaStream_t stream_;
};

class ReplayRing {
 public:
  explicit ReplayRing(int count) : slots_(count) {
    for (ReplaySlot& s : slots_) {
      MD_CUDA(cudaMallocHost(&s.host, sizeof(StepParams)));
      MD_CUDA(cudaMalloc(&s.device, sizeof(StepParams)));
      MD_CUDA(cudaEventCreateWithFlags(&s.done, cudaEventDisableTiming));
    }
  }
  ~ReplayRing() {
    for (ReplaySlot& s : slots_) {
      if (s.exec) cudaGraphExecDestroy(s.exec);
      cudaEventDestroy(s.done);
      cudaFree(s.device);
      cudaFreeHost(s.host);
    }
  }
  Ticket acquire(cudaStream_t stream) {
    ReplaySlot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    MD_CUDA(cudaEventSynchronize(slot.done));
    return Ticket(&slot, stream);
  }
  std::vector<ReplaySlot>& slots() { return slots_; }
 private:
  std::vector<ReplaySlot> slots_;
  size_t next_ = 0;
};
}  // namespace md
