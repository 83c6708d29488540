#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace readpack {

struct Failure : std::runtime_error {
  explicit Failure(cudaError_t c) : std::runtime_error(cudaGetErrorString(c)), code(c) {}
  cudaError_t code;
};

#define READPACK_CHECK(expr)                                   \
  do {                                                         \
    if (cudaError_t rp_err = (expr); rp_err != cudaSuccess) {  \
      throw ::readpack::Failure(rp_err);                       \
    }                                                          \
  } while (false)

/// Cache of page-locked blocks. A block that was given back is handed out again when the
/// work that was enqueued before `release` in the stream named there has finished.
class PinnedPool {
 public:
  struct Block {
    void* ptr = nullptr;
    std::size_t bytes = 0;
    cudaEvent_t last_use = nullptr;
  };

  PinnedPool() = default;
  PinnedPool(const PinnedPool&) = delete;
  PinnedPool& operator=(const PinnedPool&) = delete;

  ~PinnedPool() {
    for (auto& block : all_) {
      cudaEventSynchronize(block->last_use);
      cudaEventDestroy(block->last_use);
      cudaFreeHost(block->ptr);
    }
  }

  Block* acquire(std::size_t bytes) {
    std::lock_guard<std::mutex> guard(mutex_);
    for (auto it = idle_.begin(); it != idle_.end(); ++it) {
      Block* block = *it;
      if (block->bytes < bytes) continue;
      const cudaError_t state = cudaEventQuery(block->last_use);
      if (state == cudaErrorNotReady) continue;
      READPACK_CHECK(state);
      idle_.erase(it);
      return block;
    }
    auto block = std::make_unique<Block>();
    block->bytes = round_up(bytes);
    READPACK_CHECK(cudaHostAlloc(&block->ptr, block->bytes, cudaHostAllocDefault));
    READPACK_CHECK(cudaEventCreateWithFlags(&block->last_use, cudaEventDisableTiming));
    all_.push_back(std::move(block));
    return all_.back().get();
  }

  void release(Block* block, cudaStream_t stream) noexcept {
    std::lock_guard<std::mutex> guard(mutex_);
    cudaEventRecord(block->last_use, stream);
    idle_.push_back(block);
  }

 private:
  static std::size_t round_up(std::size_t bytes) { return (bytes + 65535) / 65536 * 65536; }

  std::mutex mutex_;
  std::vector<std::unique_ptr<Block>> all_;
  std::list<Block*> idle_;
};

/// Scoped use of one block on behalf of a stream.
class PinnedLease {
 public:
  PinnedLease(PinnedPool& pool, std::size_t bytes, cudaStream_t stream)
      : pool_(pool), stream_(stream), block_(pool.acquire(bytes)) {}
  ~PinnedLease() { pool_.release(block_, stream_); }
  PinnedLease(const PinnedLease&) = delete;
  PinnedLease& operator=(const PinnedLease&) = delete;

  template <typename T>
  T* as() const noexcept {
    return static_cast<T*>(block_->ptr);
  }

 private:
  PinnedPool& pool_;
  cudaStream_t stream_;
  PinnedPool::Block* block_;
};

}  // namespace readpack
