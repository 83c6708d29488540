#pragma once
#include "mt_common.h"

namespace fused {

// Brings launch tables to the device: open() gives the host side to fill in,
// commit() sends it and returns the address for the kernel.
class TableStager {
 public:
  explicit TableStager(int slots) : slots_(slots) {
    FUSED_CHECK(cudaHostAlloc(&host_, slots * sizeof(LaunchTable),
                              cudaHostAllocDefault));
    FUSED_CHECK(cudaMalloc(&device_, slots * sizeof(LaunchTable)));
    FUSED_CHECK(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming));
  }

  ~TableStager() {
    cudaEventDestroy(sent_);
    cudaFree(device_);
    cudaFreeHost(host_);
  }

  TableStager(const TableStager&) = delete;
  TableStager& operator=(const TableStager&) = delete;

  void begin_step(cudaStream_t stream) {
    if (!is_capturing(stream)) FUSED_CHECK(cudaEventSynchronize(sent_));
    next_ = 0;
  }

  LaunchTable* open(cudaStream_t) {
    if (next_ == slots_) throw std::runtime_error("slots");
    return host_ + next_++;
  }

  const LaunchTable* commit(cudaStream_t stream) {
    const int slot = next_ - 1;
    FUSED_CHECK(cudaMemcpyAsync(device_ + slot, host_ + slot,
                                sizeof(LaunchTable), cudaMemcpyHostToDevice,
                                stream));
    if (!is_capturing(stream)) FUSED_CHECK(cudaEventRecord(sent_, stream));
    return device_ + slot;
  }

 private:
  int slots_;
  int next_ = 0;
  LaunchTable* host_ = nullptr;
  LaunchTable* device_ = nullptr;
  cudaEvent_t sent_ = nullptr;
};

}  // namespace fused
