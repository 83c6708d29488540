#include "block_cache.hpp"

#include <algorithm>
#include <new>
#include <stdexcept>

namespace mr {

void throw_on_error(cudaError_t e) {
  if (e != cudaSuccess) throw std::runtime_error(cudaGetErrorName(e));
}

block_cache::~block_cache() {
  for (auto& [bin, blocks] : free_)
    for (auto& b : blocks) {
      cudaEventDestroy(b.released);
      cudaFree(b.ptr);
    }
  for (auto& [p, b] : live_) {
    cudaEventDestroy(b.released);
    cudaFree(p);
  }
}

std::size_t block_cache::bin_for(std::size_t bytes) {
  std::size_t bin = 4096;
  while (bin < bytes) bin <<= 1;
  return bin;
}

block_cache::block block_cache::grow(std::size_t bin) {
  block b;
  b.bin = bin;
  throw_on_error(cudaMalloc(&b.ptr, bin));
  throw_on_error(cudaEventCreateWithFlags(&b.released, cudaEventDisableTiming));
  ++stats_.device_allocations;
  return b;
}

void* block_cache::allocate(std::size_t bytes, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  std::size_t const bin = bin_for(bytes);
  bin_list& candidates = free_[bin];

  block b;
  auto same = std::find_if(candidates.begin(), candidates.end(),
                           [stream](block const& c) { return c.owner == stream; });
  if (same != candidates.end()) {
    b = *same;
    candidates.erase(same);
    ++stats_.reused_same_stream;
  } else if (!candidates.empty()) {
    b = candidates.front();
    candidates.pop_front();
    throw_on_error(cudaStreamWaitEvent(b.owner, b.released, 0));
    ++stats_.reused_other_stream;
  } else {
    b = grow(bin);
  }
  b.owner = stream;
  live_.emplace(b.ptr, b);
  return b.ptr;
}

void block_cache::deallocate(void* p, cudaStream_t stream) {
  std::lock_guard<std::mutex> lock(mutex_);
  auto it = live_.find(p);
  if (it == live_.end()) throw std::bad_alloc();
  block b = it->second;
  live_.erase(it);
  b.owner = stream;
  throw_on_error(cudaEventRecord(b.released, stream));
  free_[b.bin].push_back(b);
}

block_cache::statistics block_cache::stats() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return stats_;
}

}  // namespace mr
