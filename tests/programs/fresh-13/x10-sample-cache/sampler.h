#pragma once
#include <cstdint>

#include "allocator.h"

namespace rnd {

// A run of random words on the device and the point in its stream at which it is complete.
class Batch {
 public:
  Batch(std::shared_ptr<void> storage, std::size_t count, std::shared_ptr<CUevent_st> ready)
      : storage_(std::move(storage)), count_(count), ready_(std::move(ready)) {}

  // Makes the batch usable by work that is enqueued into `stream` from now on.
  const std::uint32_t* on(cudaStream_t stream) const {
    check(cudaStreamWaitEvent(stream, ready_.get(), 0));
    CachingAllocator::get().record_stream(storage_, stream);
    return static_cast<const std::uint32_t*>(storage_.get());
  }
  std::size_t size() const { return count_; }

 private:
  std::shared_ptr<void> storage_;
  std::size_t count_;
  std::shared_ptr<CUevent_st> ready_;
};

class Generator {
 public:
  Generator(std::uint32_t seed, cudaStream_t stream) : state_(seed), stream_(stream) {}
  Batch draw(std::size_t count);

 private:
  std::uint32_t state_;
  cudaStream_t stream_;
};

// Counts the words of a batch per residue class.
void histogram(const Batch& batch, unsigned long long* bins, int classes, cudaStream_t stream);

}  // namespace rnd
