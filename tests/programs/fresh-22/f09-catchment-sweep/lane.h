#pragma once

#include "basin.h"

#include <utility>

namespace basin {

/// A stream, a device result and a place in page-locked memory for results of all runs.
class Lane {
 public:
  explicit Lane(int index) : index_(index) {
    int low = 0, high = 0;
    must(cudaDeviceGetStreamPriorityRange(&low, &high));
    must(cudaStreamCreateWithPriority(&stream_, cudaStreamDefault, low));
    must(cudaMalloc(&discharge_, kCells * sizeof(float)));
  }
  ~Lane() {
    if (stream_ == nullptr) return;
    cudaStreamSynchronize(stream_);
    cudaStreamDestroy(stream_);
    cudaFree(discharge_);
  }
  Lane(Lane&& o) noexcept
      : index_(o.index_), stream_(std::exchange(o.stream_, nullptr)), discharge_(std::exchange(o.discharge_, nullptr)) {}
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;

  /// `params` and `result` stay valid until the lane has been drained.
  void submit(const RunParams* params, float* result) {
    set_params(index_, params);
    simulate(index_, discharge_, stream_);
    must(cudaMemcpyAsync(result, discharge_, kCells * sizeof(float), cudaMemcpyDeviceToHost, stream_));
  }

  void drain() const { must(cudaStreamSynchronize(stream_)); }

 private:
  int index_;
  cudaStream_t stream_ = nullptr;
  float* discharge_ = nullptr;
};

}  // namespace basin
