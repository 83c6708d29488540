#pragma once
#include "check.h"

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <vector>

namespace feed {

class EventPool {
 public:
  ~EventPool();
  cudaEvent_t get();
  void put(cudaEvent_t e) { spare_.push_back(e); }

 private:
  std::vector<cudaEvent_t> spare_;
};

// A page-locked block and the device work that still refers to it.
class HostBlock {
 public:
  HostBlock(std::size_t bytes, EventPool& events);
  ~HostBlock();
  HostBlock(const HostBlock&) = delete;
  HostBlock& operator=(const HostBlock&) = delete;

  std::byte* data() const { return data_; }
  std::size_t size() const { return size_; }

  void note_use(cudaStream_t stream);
  bool idle();

 private:
  EventPool& events_;
  std::vector<cudaEvent_t> uses_;
  std::byte* data_ = nullptr;
  std::size_t size_;
};

// Caches page-locked blocks, since cudaHostAlloc is far too slow for every batch.
// A lease that is dropped returns its block; blocks that the device still reads are parked.
class HostCache {
 public:
  using Lease = std::shared_ptr<HostBlock>;

  Lease acquire(std::size_t bytes);
  std::size_t blocks() const { return total_; }

 private:
  void put_back(HostBlock* block);
  void sweep();

  EventPool events_;
  std::mutex mutex_;
  std::list<std::unique_ptr<HostBlock>> ready_;
  std::list<std::unique_ptr<HostBlock>> parked_;
  std::size_t total_ = 0;
};

}  // namespace feed
