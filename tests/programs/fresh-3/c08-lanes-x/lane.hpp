#pragma once
#include <cuda_runtime.h>
#include <thrust/device_vector.h>

#include <stdexcept>
#include <utility>

namespace filt {

inline void must(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

// One worker stream with its scratch space and the event that marks its latest work.
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
  lane(lane&& o) noexcept
      : stream_(std::exchange(o.stream_, nullptr)),
        tail_(std::exchange(o.tail_, nullptr)),
        scratch_(std::move(o.scratch_)) {}
  lane(lane const&) = delete;
  lane& operator=(lane const&) = delete;

  cudaStream_t stream() const noexcept { return stream_; }

  float* reserve(std::size_t floats) {
    if (scratch_.size() < floats) scratch_.resize(floats);
    return thrust::raw_pointer_cast(scratch_.data());
  }

  void follow(cudaEvent_t e) { must(cudaStreamWaitEvent(stream_, e, 0)); }
  void join_into(cudaStream_t s) {
    must(cudaEventRecord(tail_, stream_));
    must(cudaStreamWaitEvent(s, tail_, 0));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaEvent_t tail_ = nullptr;
  thrust::device_vector<float> scratch_;
};

}  // namespace filt
