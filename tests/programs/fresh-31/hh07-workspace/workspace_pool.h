#pragma once
#include "device_context.h"

#include <cstddef>
#include <mutex>
#include <new>

namespace relax {

// A fixed set of equal device blocks for temporaries. When all are out, the handlers for
// pressure are asked to bring some back.
class WorkspacePool {
 public:
  WorkspacePool(std::size_t block_bytes, int blocks) : block_bytes_(block_bytes) {
    check(cudaMalloc(reinterpret_cast<void**>(&slab_), block_bytes * blocks));
    for (int i = 0; i < blocks; ++i) free_.push_back(slab_ + i * block_bytes);
  }
  ~WorkspacePool() { cudaFree(slab_); }
  WorkspacePool(const WorkspacePool&) = delete;
  WorkspacePool& operator=(const WorkspacePool&) = delete;

  void on_pressure(std::function<void()> handler) { handlers_.push_back(std::move(handler)); }

  void* take(std::size_t bytes) {
    if (bytes > block_bytes_) throw std::bad_alloc();
    std::lock_guard<std::mutex> lock(mutex_);
    if (free_.empty()) {
      ++pressure_count_;
      relieve();
    }
    return pop();
  }

  void put(void* p) {
    std::lock_guard<std::mutex> lock(mutex_);
    free_.push_back(static_cast<char*>(p));
  }

  int pressure_count() const { return pressure_count_; }

 private:
  void relieve() {
    for (auto& h : handlers_) h();
  }

  void* pop() {
    if (free_.empty()) throw std::bad_alloc();
    char* p = free_.back();
    free_.pop_back();
    return p;
  }

  std::mutex mutex_;
  std::vector<char*> free_;
  std::vector<std::function<void()>> handlers_;
  char* slab_ = nullptr;
  std::size_t block_bytes_;
  int pressure_count_ = 0;
};

// A temporary array for work in one queue; its block goes back when that work has ended.
template <class T>
class Temporary {
 public:
  Temporary(WorkspacePool& pool, DeviceContext& ctx, cudaStream_t queue, std::size_t n)
      : pool_(pool), ctx_(ctx), queue_(queue), data_(static_cast<T*>(pool.take(n * sizeof(T)))) {}
  ~Temporary() {
    ctx_.defer(queue_, [pool = &pool_, p = data_] { pool->put(p); });
  }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;

  T* get() const { return data_; }

 private:
  WorkspacePool& pool_;
  DeviceContext& ctx_;
  cudaStream_t queue_;
  T* data_;
};

}  // namespace relax
