#pragma once
#include <vector>
#include "check.h"

namespace screen {

// A handful of streams for independent docking jobs.
class LanePool {
 public:
  explicit LanePool(int count) : lanes_(count) {
    for (cudaStream_t& s : lanes_) SCREEN_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  }
  ~LanePool() {
    for (cudaStream_t s : lanes_) cudaStreamDestroy(s);
  }
  LanePool(const LanePool&) = delete;
  LanePool& operator=(const LanePool&) = delete;

  cudaStream_t lane(int i) const { return lanes_[i % lanes_.size()]; }
  cudaStream_t primary() const { return lanes_.front(); }
  void drain() const {
    for (cudaStream_t s : lanes_) SCREEN_CUDA(cudaStreamSynchronize(s));
  }

 private:
  std::vector<cudaStream_t> lanes_;
};

// Pair of timing events.
class Stopwatch {
 public:
  Stopwatch() {
    SCREEN_CUDA(cudaEventCreate(&begin_));
    SCREEN_CUDA(cudaEventCreate(&end_));
  }
  ~Stopwatch() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  Stopwatch(const Stopwatch&) = delete;

  void start(cudaStream_t s) { SCREEN_CUDA(cudaEventRecord(begin_, s)); }
  void stop(cudaStream_t s) { SCREEN_CUDA(cudaEventRecord(end_, s)); }
  double milliseconds() const {
    float ms = 0.f;
    SCREEN_CUDA(cudaEventSynchronize(end_));
    SCREEN_CUDA(cudaEventElapsedTime(&ms, begin_, end_));
    return ms;
  }

 private:
  cudaEvent_t begin_{}, end_{};
};

}  // namespace screen
