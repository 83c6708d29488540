#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace gauge {

struct error : std::runtime_error {
  explicit error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw error(e);
}

/// Time between two points of a stream.
class cuda_timer {
 public:
  explicit cuda_timer(cudaStream_t stream) : stream_(stream) {
    check(cudaEventCreate(&begin_));
    check(cudaEventCreate(&end_));
  }
  ~cuda_timer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  cuda_timer(const cuda_timer&) = delete;
  cuda_timer& operator=(const cuda_timer&) = delete;

  void start() { check(cudaEventRecord(begin_, stream_)); }
  void stop() { check(cudaEventRecord(end_, stream_)); }

  double milliseconds() const {
    float ms = 0.0f;
    check(cudaEventSynchronize(end_));
    check(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }

 private:
  cudaStream_t stream_;
  cudaEvent_t begin_{}, end_{};
};

/// Evicts the L2 cache so that each cold sample starts from memory.
class l2_flush {
 public:
  l2_flush();
  ~l2_flush();
  l2_flush(const l2_flush&) = delete;
  l2_flush& operator=(const l2_flush&) = delete;
  void run(cudaStream_t stream) const;

 private:
  void* data_{};
  std::size_t bytes_{};
};

}  // namespace gauge
