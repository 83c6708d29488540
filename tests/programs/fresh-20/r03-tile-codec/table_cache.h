#pragma once
#include <map>
#include <mutex>
#include <stdexcept>

#include "kernels.cuh"

namespace codec {
/// Device resident quantisation tables, expanded on first use.
class TableCache {
 public:
  explicit TableCache(int capacity) : capacity_(capacity) {
    CODEC_CHECK(cudaMalloc(&slab_, sizeof(uint16_t) * kBlockSize * capacity));
    CODEC_CHECK(cudaMemset(slab_, 0, sizeof(uint16_t) * kBlockSize * capacity));
    CODEC_CHECK(cudaDeviceSynchronize());
  }
  ~TableCache() { cudaFree(slab_); }

  /// The table of a quality setting, for use in `stream`.
  const uint16_t* lookup(int quality, cudaStream_t stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = entries_.find(quality);
    if (found != entries_.end()) return found->second.data;
    return insert(quality, stream).data;
  }
 private:
  struct Entry {
    uint16_t* data;
  };

  Entry& insert(int quality, cudaStream_t stream) {
    if (static_cast<int>(entries_.size()) == capacity_)
      throw std::length_error("quantisation table cache is full");
    Entry entry{slab_ + entries_.size() * kBlockSize};
    expand_table<<<1, kBlockSize, 0, stream>>>(entry.data, quality);
    CODEC_CHECK(cudaGetLastError());
    return entries_.emplace(quality, entry).first->second;
  }
  std::mutex mutex_;
  std::map<int, Entry> entries_;
  uint16_t* slab_ = nullptr;
  int capacity_;
};
}  // namespace codec
