#pragma once

#include "macros.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <vector>

namespace tessera {

struct HostBlock {
  void* ptr = nullptr;
  std::size_t size = 0;
  cudaEvent_t event = nullptr;
};

// Pinned staging blocks of all operators.
class CachingHostAllocator {
 public:
  static CachingHostAllocator& get() {
    static CachingHostAllocator* allocator = new CachingHostAllocator();
    return *allocator;
  }

  void reserve(std::size_t count, std::size_t size) {
    std::lock_guard<std::mutex> lock(mutex_);
    while (count-- > 0) free_.push_back(create(size));
  }

  HostBlock* allocate(std::size_t size) {
    std::lock_guard<std::mutex> lock(mutex_);
    processEvents();
    for (auto it = free_.rbegin(); it != free_.rend(); ++it) {
      if ((*it)->size < size) continue;
      HostBlock* block = *it;
      free_.erase(std::next(it).base());
      return block;
    }
    return create(size);
  }

  void free(HostBlock* block, cudaStream_t stream) {
    std::lock_guard<std::mutex> lock(mutex_);
    cudaStreamCaptureStatus status;
    TESSERA_CUDA_CHECK(cudaStreamIsCapturing(stream, &status));
    if (status != cudaStreamCaptureStatusNone) {
      free_.push_back(block);
      return;
    }
    TESSERA_CUDA_CHECK(cudaEventRecord(block->event, stream));
    pending_.push_back(block);
  }

 private:
  HostBlock* create(std::size_t size) {
    auto block = std::make_unique<HostBlock>();
    block->size = size;
    TESSERA_CUDA_CHECK(cudaHostAlloc(&block->ptr, size, cudaHostAllocDefault));
    TESSERA_CUDA_CHECK(cudaEventCreateWithFlags(&block->event, cudaEventDisableTiming));
    blocks_.push_back(std::move(block));
    return blocks_.back().get();
  }

  void processEvents() {
    while (!pending_.empty() && cudaEventQuery(pending_.front()->event) == cudaSuccess) {
      free_.push_back(pending_.front());
      pending_.pop_front();
    }
    (void)cudaGetLastError();
  }

  std::mutex mutex_;
  std::vector<std::unique_ptr<HostBlock>> blocks_;
  std::vector<HostBlock*> free_;
  std::deque<HostBlock*> pending_;
};

// Owner of one staging block for the time of one operator.
class StagingBuffer {
 public:
  StagingBuffer(std::size_t size, cudaStream_t stream)
      : block_(CachingHostAllocator::get().allocate(size)), stream_(stream) {}
  ~StagingBuffer() { CachingHostAllocator::get().free(block_, stream_); }
  StagingBuffer(const StagingBuffer&) = delete;
  StagingBuffer& operator=(const StagingBuffer&) = delete;

  template <typename T>
  T* as() { return static_cast<T*>(block_->ptr); }

 private:
  HostBlock* block_;
  cudaStream_t stream_;
};

}  // namespace tessera
