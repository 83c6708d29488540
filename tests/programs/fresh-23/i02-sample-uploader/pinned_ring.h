#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <vector>

namespace ingest {

// A fixed set of page-locked blocks, handed out oldest first.
class PinnedRing {
 public:
  struct Slot {
    void* data = nullptr;
    std::size_t capacity = 0;
    cudaEvent_t idle = nullptr;
    bool held = false;
    bool in_flight = false;
  };

  PinnedRing(std::size_t slots, std::size_t bytes_per_slot);
  ~PinnedRing();
  PinnedRing(const PinnedRing&) = delete;
  PinnedRing& operator=(const PinnedRing&) = delete;

  // Hands out a block for writing.  Throws std::length_error if all blocks are held by callers.
  Slot& acquire();

  // Takes a block back.  It becomes writable again when `stream` has reached this point.
  void retire(Slot& slot, cudaStream_t stream);

  std::size_t size() const { return slots_.size(); }

 private:
  std::vector<Slot> slots_;
  std::size_t next_ = 0;
};

}  // namespace ingest
