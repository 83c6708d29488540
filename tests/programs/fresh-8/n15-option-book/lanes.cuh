#pragma once

#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CK(x)                                                    \
  do {                                                           \
    const cudaError_t ck_ = (x);                                 \
    if (ck_ != cudaSuccess) {                                    \
      printf("ERROR %s\n", cudaGetErrorName(ck_));               \
      exit(EXIT_FAILURE);                                        \
    }                                                            \
  } while (0)

namespace desk {

// A lead stream and lanes that branch off it and flow back into it.
class Lanes {
 public:
  explicit Lanes(int n) : side_(n), ends_(n) {
    CK(cudaStreamCreateWithFlags(&lead_, cudaStreamNonBlocking));
    CK(cudaEventCreateWithFlags(&gate_, cudaEventDisableTiming));
    for (int i = 0; i < n; ++i) {
      CK(cudaStreamCreateWithFlags(&side_[i], cudaStreamNonBlocking));
      CK(cudaEventCreateWithFlags(&ends_[i], cudaEventDisableTiming));
    }
  }

  ~Lanes() {
    cudaStreamSynchronize(lead_);
    for (size_t i = 0; i < side_.size(); ++i) {
      cudaEventDestroy(ends_[i]);
      cudaStreamDestroy(side_[i]);
    }
    cudaEventDestroy(gate_);
    cudaStreamDestroy(lead_);
  }

  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  template <class Body>
  void scatter(int jobs, Body body) {
    branch();
    for (int j = 0; j < jobs; ++j) body(j, side_[j % side_.size()]);
    gather();
  }

  cudaStream_t lead() const { return lead_; }

 private:
  void branch() {
    CK(cudaEventRecord(gate_, lead_));
    for (auto s : side_) CK(cudaStreamWaitEvent(s, gate_, 0));
  }

  void gather() {
    for (size_t i = 0; i < side_.size(); ++i) {
      CK(cudaEventRecord(ends_[i], side_[i]));
      CK(cudaStreamWaitEvent(lead_, ends_[i], 0));
    }
  }

  cudaStream_t lead_{};
  cudaEvent_t gate_{};
  std::vector<cudaStream_t> side_;
  std::vector<cudaEvent_t> ends_;
};

// Device time between two points of a stream.
class Stopwatch {
 public:
  Stopwatch() {
    CK(cudaEventCreate(&a_));
    CK(cudaEventCreate(&b_));
  }
  ~Stopwatch() {
    cudaEventDestroy(a_);
    cudaEventDestroy(b_);
  }
  void start(cudaStream_t s) { CK(cudaEventRecord(a_, s)); }
  void stop(cudaStream_t s) { CK(cudaEventRecord(b_, s)); }
  double ms() const {
    float t = 0;
    CK(cudaEventSynchronize(b_));
    CK(cudaEventElapsedTime(&t, a_, b_));
    return t;
  }

 private:
  cudaEvent_t a_{}, b_{};
};

}  // namespace desk
