#include "pinned_ring.h"

#include <stdexcept>

#include "status.h"

namespace ingest {

PinnedRing::PinnedRing(std::size_t slots, std::size_t bytes_per_slot) : slots_(slots) {
  for (Slot& slot : slots_) {
    check(cudaMallocHost(&slot.data, bytes_per_slot));
    check(cudaEventCreateWithFlags(&slot.idle, cudaEventDisableTiming));
    slot.capacity = bytes_per_slot;
  }
}

PinnedRing::~PinnedRing() {
  for (Slot& slot : slots_) {
    if (slot.in_flight) cudaEventSynchronize(slot.idle);
    cudaEventDestroy(slot.idle);
    cudaFreeHost(slot.data);
  }
}

PinnedRing::Slot& PinnedRing::acquire() {
  for (std::size_t tried = 0; tried < slots_.size(); ++tried) {
    Slot& slot = slots_[next_];
    next_ = (next_ + 1) % slots_.size();
    if (slot.held) continue;
    if (slot.in_flight) {
      check(cudaEventSynchronize(slot.idle));
      slot.in_flight = false;
    }
    slot.held = true;
    return slot;
  }
  throw std::length_error("PinnedRing: every block is held");
}

void PinnedRing::retire(Slot& slot, cudaStream_t stream) {
  check(cudaEventRecord(slot.idle, stream));
  slot.in_flight = true;
  slot.held = false;
}

}  // namespace ingest
