#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

#include "uplink.h"

namespace uplink {

class StagingPool;

struct Slot {
  StagingPool* owner = nullptr;
  void* data = nullptr;
  size_t used = 0;
  cudaEvent_t sent = nullptr;
};

// Free slots lie in a stack, those in flight in the order of their sends. A slot goes back by a function in its stream.
class StagingPool {
 public:
  StagingPool() = default;
  StagingPool(const StagingPool&) = delete;
  StagingPool& operator=(const StagingPool&) = delete;
  ~StagingPool();

  cudaError_t init(int slots, size_t slot_bytes);

  // Takes a free slot; waits for the oldest in flight when there is none.
  cudaError_t acquire(Slot** slot);

  // Queues the return of the slot behind what the stream holds.
  cudaError_t release_in(Slot* slot, cudaStream_t stream);

  cudaError_t drain();
  uplink_stats stats() const;
  size_t slot_bytes() const { return slot_bytes_; }

 private:
  static void CUDART_CB on_sent(void* arg);
  void give_back(Slot* slot);

  mutable std::mutex mu_;
  size_t slot_bytes_ = 0;
  std::vector<std::unique_ptr<Slot>> all_;
  std::vector<Slot*> free_;
  std::deque<Slot*> in_flight_;
  uplink_stats stats_ = {};
};

}  // namespace uplink
