#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <utility>

namespace filt {

inline void must(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// One worker stream together with the event that marks its latest work.
class lane {
 public:
  lane() {
    must(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    must(cudaEventCreateWithFlags(&tail_, cudaEventDisableTiming));
  }
  ~lane() {
    if (!stream_) return;
    cudaStreamSynchronize(stream_);
    cudaEventDestroy(tail_);
    cudaStreamDestroy(stream_);
  }
  lane(lane&& o) noexcept : stream_(std::exchange(o.stream_, nullptr)), tail_(std::exchange(o.tail_, nullptr)) {}
  lane(lane const&) = delete;
  lane& operator=(lane const&) = delete;

  cudaStream_t stream() const noexcept { return stream_; }

  void follow(cudaEvent_t e) { must(cudaStreamWaitEvent(stream_, e, 0)); }
  void join_into(cudaStream_t s) {
    must(cudaEventRecord(tail_, stream_));
    must(cudaStreamWaitEvent(s, tail_, 0));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t tail_ = nullptr;
};

}  // namespace filt
