#pragma once

#include <cstddef>
#include <mutex>
#include <vector>

#include "runtime.hpp"

namespace gradsync {

/// Device memory kept for reuse. A block goes back in the order of one stream: it serves that
/// stream at once and other streams as soon as the device has come that far.
class block_pool {
 public:
  struct block {
    void* data       = nullptr;
    std::size_t size = 0;
    cudaStream_t home{};
    cudaEvent_t left{};
  };

  static block_pool& instance()
  {
    static block_pool* const pool = new block_pool;
    return *pool;
  }

  block take(std::size_t bytes, cudaStream_t stream)
  {
    bytes = (bytes + 511) / 512 * 512;
    std::lock_guard<std::mutex> hold(lock_);
    for (std::size_t pass = 0; pass < 2; ++pass) {
      for (auto it = idle_.begin(); it != idle_.end(); ++it) {
        if (it->size < bytes || it->size > 2 * bytes) continue;
        if (pass == 0 ? it->home != stream : !reached(*it)) continue;
        block b = *it;
        idle_.erase(it);
        return b;
      }
    }
    block b;
    ensure(cudaMalloc(&b.data, bytes));
    ensure(cudaEventCreateWithFlags(&b.left, cudaEventDisableTiming));
    b.size = bytes;
    return b;
  }

  void give_back(block b, cudaStream_t stream)
  {
    cudaEventRecord(b.left, stream);
    b.home = stream;
    std::lock_guard<std::mutex> hold(lock_);
    idle_.push_back(b);
  }

 private:
  static bool reached(block const& b)
  {
    cudaError_t const rc = cudaEventQuery(b.left);
    if (rc == cudaErrorNotReady) (void)cudaGetLastError();
    return rc == cudaSuccess;
  }

  std::mutex lock_;
  std::vector<block> idle_;
};

/// Scoped array from the pool, in the current stream.
template <typename T>
class scratch {
 public:
  explicit scratch(std::size_t n)
    : stream_(current_stream()), n_(n), block_(block_pool::instance().take(n * sizeof(T), stream_))
  {
  }
  scratch(scratch const&) = delete;
  ~scratch() { block_pool::instance().give_back(block_, stream_); }

  T* data() const { return static_cast<T*>(block_.data); }
  std::size_t size() const { return n_; }

  /// The array's last use is in `stream`, from here on.
  void move_to(cudaStream_t stream) { stream_ = stream; }

 private:
  cudaStream_t stream_;
  std::size_t n_;
  block_pool::block block_;
};

}  // namespace gradsync
