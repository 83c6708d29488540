#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace gx {

struct Error : std::runtime_error {
  explicit Error(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

#define GX_CHECK(expr)                              \
  do {                                              \
    const cudaError_t gx_status_ = (expr);          \
    if (gx_status_ != cudaSuccess) throw ::gx::Error(gx_status_); \
  } while (0)

// A fixed set of side streams on which an operator may spread its branches.
class Lanes {
 public:
  explicit Lanes(size_t n) : streams_(n, nullptr), joins_(n, nullptr) {
    GX_CHECK(cudaEventCreateWithFlags(&fork_, cudaEventDisableTiming));
    for (size_t i = 0; i < n; ++i) {
      GX_CHECK(cudaStreamCreateWithFlags(&streams_[i], cudaStreamNonBlocking));
      GX_CHECK(cudaEventCreateWithFlags(&joins_[i], cudaEventDisableTiming));
    }
  }
  ~Lanes() {
    for (cudaStream_t s : streams_) cudaStreamDestroy(s);
    for (cudaEvent_t e : joins_) cudaEventDestroy(e);
    cudaEventDestroy(fork_);
  }
  Lanes(const Lanes&) = delete;
  Lanes& operator=(const Lanes&) = delete;

  size_t size() const { return streams_.size(); }

 private:
  friend class Branches;
  std::vector<cudaStream_t> streams_;
  std::vector<cudaEvent_t> joins_;
  cudaEvent_t fork_ = nullptr;
};

// Opens a parallel section below `trunk`; lanes are drawn in on first use.
class Branches {
 public:
  Branches(Lanes& lanes, cudaStream_t trunk)
      : lanes_(lanes), trunk_(trunk), used_(lanes.size(), false) {
    GX_CHECK(cudaEventRecord(lanes_.fork_, trunk_));
  }
  ~Branches() { close(); }
  Branches(const Branches&) = delete;
  Branches& operator=(const Branches&) = delete;

  cudaStream_t operator[](size_t i) {
    i %= used_.size();
    if (!used_[i]) {
      GX_CHECK(cudaStreamWaitEvent(lanes_.streams_[i], lanes_.fork_, 0));
      used_[i] = true;
    }
    return lanes_.streams_[i];
  }

  cudaError_t close() {
    cudaError_t worst = cudaSuccess;
    for (size_t i = 0; i < used_.size(); ++i) {
      if (!used_[i]) continue;
      used_[i] = false;
      cudaError_t s = cudaEventRecord(lanes_.joins_[i], lanes_.streams_[i]);
      if (s == cudaSuccess) s = cudaStreamWaitEvent(trunk_, lanes_.joins_[i], 0);
      if (s != cudaSuccess) worst = s;
    }
    return worst;
  }

 private:
  Lanes& lanes_;
  cudaStream_t trunk_;
  std::vector<bool> used_;
};

}  // namespace gx
