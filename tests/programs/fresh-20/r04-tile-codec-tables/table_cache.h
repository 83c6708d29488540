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
    CODEC_CHECK(cudaStreamCreateWithFlags(&builder_, cudaStreamNonBlocking));
  }
  ~TableCache() {
    for (auto& item : entries_) cudaEventDestroy(item.second.ready);
    cudaStreamDestroy(builder_);
    cudaFree(slab_);
  }

  /// The table of a quality setting, for use in `stream`.
  const uint16_t* lookup(int quality, cudaStream_t stream) {
    std::lock_guard<std::mutex> guard(mutex_);
    auto found = entries_.find(quality);
    const Entry& entry = found != entries_.end() ? found->second : insert(quality);
    CODEC_CHECK(cudaStreamWaitEvent(stream, entry.ready, 0));
    return entry.data;
  }
 private:
  struct Entry {
    uint16_t* data;
    cudaEvent_t ready;
  };

  Entry& insert(int quality) {
    if (static_cast<int>(entries_.size()) == capacity_)
      throw std::length_error("quantisation table cache is full");
    Entry entry{slab_ + entries_.size() * kBlockSize, nullptr};
    CODEC_CHECK(cudaEventCreateWithFlags(&entry.ready, cudaEventDisableTiming));
    expand_table<<<1, kBlockSize, 0, builder_>>>(entry.data, quality);
    CODEC_CHECK(cudaGetLastError());
    CODEC_CHECK(cudaEventRecord(entry.ready, builder_));
    return entries_.emplace(quality, entry).first->second;
  }
  std::mutex mutex_;
  std::map<int, Entry> entries_;
  uint16_t* slab_ = nullptr;
  cudaStream_t builder_ = nullptr;
  int capacity_;
};
}  // namespace codec
