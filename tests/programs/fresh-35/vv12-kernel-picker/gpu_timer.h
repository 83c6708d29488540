#pragma once
#include "executor.h"

namespace hlx {

// Device time between Start and Stop.
class GpuTimer {
 public:
  static StatusOr<GpuTimer> Create(Stream& stream) {
    GpuTimer timer(stream.handle());
    HLX_CUDA(cudaEventCreate(&timer.start_));
    HLX_CUDA(cudaEventCreate(&timer.stop_));
    return StatusOr<GpuTimer>(std::move(timer));
  }

  GpuTimer(GpuTimer&& o) noexcept
      : stream_(o.stream_),
        start_(std::exchange(o.start_, nullptr)),
        stop_(std::exchange(o.stop_, nullptr)) {}
  GpuTimer(const GpuTimer&) = delete;
  ~GpuTimer() {
    if (start_) cudaEventDestroy(start_);
    if (stop_) cudaEventDestroy(stop_);
  }

  Status Start() { return ToStatus(cudaEventRecord(start_, stream_)); }
  Status Stop() { return ToStatus(cudaEventRecord(stop_, stream_)); }

  StatusOr<double> Milliseconds() {
    float ms = 0;
    HLX_CUDA(cudaEventSynchronize(stop_));
    HLX_CUDA(cudaEventElapsedTime(&ms, start_, stop_));
    return double(ms);
  }

 private:
  explicit GpuTimer(cudaStream_t stream) : stream_(stream) {}
  cudaStream_t stream_;
  cudaEvent_t start_ = nullptr;
  cudaEvent_t stop_ = nullptr;
};

}  // namespace hlx
