#pragma once
#include "mt_common.h"

namespace fused {

// Brings launch tables to the device: open() gives the host side to fill in,
// commit() sends it and returns the address for the kernel.
class TableStager {
 public:
  TableStager() {
    FUSED_CHECK(cudaHostAlloc(&host_, sizeof(LaunchTable),
                              cudaHostAllocDefault));
    FUSED_CHECK(cudaMalloc(&device_, sizeof(LaunchTable)));
    FUSED_CHECK(cudaEventCreateWithFlags(&sent_, cudaEventDisableTiming));
  }

  ~TableStager() {
    cudaEventDestroy(sent_);
    cudaFree(device_);
    cudaFreeHost(host_);
  }

  TableStager(const TableStager&) = delete;
  TableStager& operator=(const TableStager&) = delete;

  LaunchTable* open(cudaStream_t stream) {
    if (!is_capturing(stream)) FUSED_CHECK(cudaEventSynchronize(sent_));
    return host_;
  }

  const LaunchTable* commit(cudaStream_t stream) {
    FUSED_CHECK(cudaMemcpyAsync(device_, host_, sizeof(LaunchTable),
                                cudaMemcpyHostToDevice, stream));
    if (!is_capturing(stream)) FUSED_CHECK(cudaEventRecord(sent_, stream));
    return device_;
  }

 private:
  LaunchTable* host_ = nullptr;
  LaunchTable* device_ = nullptr;
  cudaEvent_t sent_ = nullptr;
};

}  // namespace fused
