#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <map>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>
#include <vector>

namespace mem {

class Failure : public std::runtime_error {
 public:
  explicit Failure(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)), code(c) {}
  cudaError_t code;
};

inline void check(cudaError_t c) {
  if (c != cudaSuccess) throw Failure(c);
}

struct PoolStats {
  size_t reserved = 0;
  size_t driver_allocations = 0;
  size_t served_from_shelf = 0;
  size_t flushes = 0;
};

// Caching device allocator. Every block has a home stream, the one it was
// acquired for; it may visit other streams while it is live.
class BlockPool {
 public:
  explicit BlockPool(size_t soft_limit) : limit_(soft_limit) {}
  ~BlockPool();
  BlockPool(const BlockPool&) = delete;
  BlockPool& operator=(const BlockPool&) = delete;

  void* acquire(size_t bytes, cudaStream_t home);
  void visit(void* p, cudaStream_t guest);
  void release(void* p);
  void forget_stream(cudaStream_t home);
  PoolStats stats() const;

 private:
  struct Block {
    void* base = nullptr;
    size_t bytes = 0;
    cudaStream_t home = nullptr;
    std::vector<cudaStream_t> guests;
  };
  struct Parked {
    Block block;
    std::vector<cudaEvent_t> fences;
  };
  using Shelf = std::vector<Block>;
  using Key = std::pair<cudaStream_t, size_t>;

  cudaEvent_t take_event();
  void sweep();
  void settle(Parked& p);
  void flush();

  mutable std::mutex mutex_;
  const size_t limit_;
  std::map<Key, Shelf> shelves_;
  std::vector<Parked> parked_;
  std::unordered_map<void*, Block> live_;
  std::vector<cudaEvent_t> idle_events_;
  PoolStats stats_;
};

// Owning view of a pool block.
template <class T>
class Array {
 public:
  Array(BlockPool& pool, size_t n, cudaStream_t home)
      : pool_(&pool), data_(static_cast<T*>(pool.acquire(n * sizeof(T), home))), n_(n) {}
  Array(Array&& o) noexcept
      : pool_(o.pool_), data_(std::exchange(o.data_, nullptr)), n_(o.n_) {}
  Array(const Array&) = delete;
  Array& operator=(const Array&) = delete;
  Array& operator=(Array&&) = delete;
  ~Array() {
    if (data_) pool_->release(data_);
  }

  T* on(cudaStream_t guest) {
    pool_->visit(data_, guest);
    return data_;
  }
  T* get() const { return data_; }
  size_t size() const { return n_; }

 private:
  BlockPool* pool_;
  T* data_;
  size_t n_;
};

}  // namespace mem
