#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#define MAP_CUDA(call)                                               \
  if (cudaError_t status_ = (call); status_ != cudaSuccess) {        \
    std::printf("ERROR %s\n", cudaGetErrorName(status_));            \
    std::exit(1);                                                    \
  }

// A fixed set of streams, handed out as leases.
class StreamPool {
 public:
  class Lease {
   public:
    Lease(StreamPool* pool, cudaStream_t stream) : pool_(pool), stream_(stream) {}
    Lease(Lease&& other) noexcept
        : pool_(std::exchange(other.pool_, nullptr)), stream_(other.stream_) {}
    Lease& operator=(Lease&&) = delete;
    ~Lease() {
      if (pool_) pool_->idle_.push_back(stream_);
    }
    cudaStream_t get() const { return stream_; }

   private:
    StreamPool* pool_;
    cudaStream_t stream_;
  };

  explicit StreamPool(int size) {
    for (int i = 0; i < size; ++i) {
      cudaStream_t s;
      MAP_CUDA(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
      all_.push_back(s);
    }
    idle_ = all_;
  }
  ~StreamPool() {
    for (cudaStream_t s : all_) cudaStreamDestroy(s);
  }
  StreamPool(const StreamPool&) = delete;
  StreamPool& operator=(const StreamPool&) = delete;

  Lease Acquire() {
    if (idle_.empty()) std::abort();
    cudaStream_t s = idle_.back();
    idle_.pop_back();
    return Lease(this, s);
  }

  int size() const { return static_cast<int>(all_.size()); }

 private:
  std::vector<cudaStream_t> all_, idle_;
};
