#pragma once
#include <cuda_runtime.h>

#include <stdexcept>
#include <utility>
#include <vector>

#define SPANS_CHECK(call)                                                 \
  do {                                                                    \
    const cudaError_t spans_err_ = (call);                                \
    if (spans_err_ != cudaSuccess) throw spans::CudaFailure(spans_err_);  \
  } while (0)

namespace spans {

class CudaFailure : public std::runtime_error {
 public:
  explicit CudaFailure(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)), code_(code) {}
  cudaError_t code() const { return code_; }

 private:
  cudaError_t code_;
};

// Events are costly to make, so they are lent and taken back.
class EventPool {
 public:
  EventPool() = default;
  EventPool(const EventPool&) = delete;
  EventPool& operator=(const EventPool&) = delete;
  ~EventPool() {
    for (cudaEvent_t e : idle_) cudaEventDestroy(e);
  }

  cudaEvent_t lend() {
    if (idle_.empty()) {
      cudaEvent_t e;
      SPANS_CHECK(cudaEventCreate(&e));
      return e;
    }
    cudaEvent_t e = idle_.back();
    idle_.pop_back();
    return e;
  }

  void take_back(cudaEvent_t e) { idle_.push_back(e); }

 private:
  std::vector<cudaEvent_t> idle_;
};

}  // namespace spans
