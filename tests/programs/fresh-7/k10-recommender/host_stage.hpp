#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>

namespace rec {

struct cuda_failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void ok(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(cudaGetErrorName(e));
}

// Page-locked scratch for argument tables: a stack with frames.
class host_stage {
 public:
  explicit host_stage(std::size_t bytes) : size_(bytes) { ok(cudaHostAlloc(&base_, bytes, cudaHostAllocDefault)); }
  ~host_stage() { cudaFreeHost(base_); }
  host_stage(const host_stage&) = delete;
  host_stage& operator=(const host_stage&) = delete;

  // Everything pushed through a frame is popped when the frame ends.
  class frame {
   public:
    frame(host_stage& stage, cudaStream_t stream) : stage_(stage), stream_(stream), mark_(stage.top_) {}
    ~frame() {
      cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
      if (cudaStreamIsCapturing(stream_, &status) == cudaSuccess && status == cudaStreamCaptureStatusNone)
        cudaStreamSynchronize(stream_);
      stage_.top_ = mark_;
    }
    frame(const frame&) = delete;
    frame& operator=(const frame&) = delete;

    template <class T>
    T* push(std::size_t n) {
      const std::size_t at = (stage_.top_ + alignof(T) - 1) / alignof(T) * alignof(T);
      if (at + n * sizeof(T) > stage_.size_) throw std::length_error("host_stage");
      stage_.top_ = at + n * sizeof(T);
      return reinterpret_cast<T*>(static_cast<char*>(stage_.base_) + at);
    }

   private:
    host_stage& stage_;
    cudaStream_t stream_;
    std::size_t mark_;
  };

 private:
  void* base_ = nullptr;
  std::size_t size_ = 0;
  std::size_t top_ = 0;
};

}  // namespace rec
