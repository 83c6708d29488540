// gridsim: streams, events and the fork-join scope.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace gridsim {

class runtime_failure : public std::runtime_error {
 public:
  runtime_failure(cudaError_t c, const char* what) : std::runtime_error(what), code(c) {}
  cudaError_t code;
};

inline void ok(cudaError_t e, const char* what) {
  if (e != cudaSuccess) throw runtime_failure(e, what);
}

class event {
 public:
  explicit event(unsigned flags = cudaEventDisableTiming) { ok(cudaEventCreateWithFlags(&e_, flags), "event"); }
  event(event&& o) noexcept : e_(std::exchange(o.e_, nullptr)) {}
  event& operator=(event&&) = delete;
  ~event() {
    if (e_) cudaEventDestroy(e_);
  }
  operator cudaEvent_t() const noexcept { return e_; }

 private:
  cudaEvent_t e_ = nullptr;
};

/// The side streams an engine owns, with the events that tie them to a caller's stream.
class lane_pool {
 public:
  explicit lane_pool(int n) : joined_(n) {
    streams_.resize(n);
    for (auto& s : streams_) ok(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "lane");
  }
  ~lane_pool() {
    for (auto s : streams_) {
      cudaStreamSynchronize(s);
      cudaStreamDestroy(s);
    }
  }
  lane_pool(const lane_pool&) = delete;
  lane_pool& operator=(const lane_pool&) = delete;
  std::size_t size() const { return streams_.size(); }

 private:
  friend class fan_out;
  std::vector<cudaStream_t> streams_;
  std::vector<event> joined_;
  event forked_;
};

/// For its lifetime, lanes stand between what was in `home` before and what comes into it after.
class fan_out {
 public:
  fan_out(lane_pool& pool, cudaStream_t home) : pool_(pool), home_(home) {
    ok(cudaEventRecord(pool_.forked_, home_), "fork");
    for (auto s : pool_.streams_) ok(cudaStreamWaitEvent(s, pool_.forked_, 0), "fork");
  }
  ~fan_out() {
    for (std::size_t i = 0; i < pool_.streams_.size(); ++i) {
      cudaEventRecord(pool_.joined_[i], pool_.streams_[i]);
      cudaStreamWaitEvent(home_, pool_.joined_[i], 0);
    }
  }
  fan_out(const fan_out&) = delete;
  fan_out& operator=(const fan_out&) = delete;
  cudaStream_t operator[](std::size_t i) const { return pool_.streams_[i % pool_.streams_.size()]; }

 private:
  lane_pool& pool_;
  cudaStream_t home_;
};

}  // namespace gridsim
