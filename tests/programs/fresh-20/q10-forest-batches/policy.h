// forest: execution policies for work that is spread over shards.
#pragma once

#include <thrust/execution_policy.h>
#include <thrust/system/cuda/execution_policy.h>

#include <cuda_runtime.h>

#include <stdexcept>
#include <utility>

namespace forest {

class device_error : public std::runtime_error {
 public:
  device_error(cudaError_t c, const char* what) : std::runtime_error(what), code(c) {}
  cudaError_t code;
};

inline void guard(cudaError_t e, const char* what = "forest") {
  if (e != cudaSuccess) throw device_error(e, what);
}

/// An owned non-blocking stream.
class queue {
 public:
  queue() { guard(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking), "queue"); }
  queue(queue&& o) noexcept : s_(std::exchange(o.s_, nullptr)) {}
  queue& operator=(queue&&) = delete;
  ~queue() {
    if (!s_) return;
    cudaStreamSynchronize(s_);
    cudaStreamDestroy(s_);
  }
  cudaStream_t native() const noexcept { return s_; }
  void wait() const { guard(cudaStreamSynchronize(s_), "queue::wait"); }

  /// The policy for algorithms that belong to this queue.
  auto policy() const { return thrust::cuda::par_nosync.on(s_); }

 private:
  cudaStream_t s_ = nullptr;
};

}  // namespace forest
