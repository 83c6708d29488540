#pragma once
#include <utility>

#include "block_cache.hpp"

namespace mr {

// Uninitialised typed storage taken from a block_cache; returned on the stream it was made for.
template <typename T>
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(block_cache& cache, std::size_t n, cudaStream_t stream)
      : cache_(&cache), data_(static_cast<T*>(cache.allocate(n * sizeof(T), stream))), size_(n), stream_(stream) {}
  ~device_buffer() { reset(); }

  device_buffer(device_buffer&& o) noexcept { swap(o); }
  device_buffer& operator=(device_buffer&& o) noexcept {
    device_buffer tmp(std::move(o));
    swap(tmp);
    return *this;
  }

  void reset() {
    if (data_) cache_->deallocate(data_, stream_);
    data_ = nullptr;
    size_ = 0;
  }

  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  void swap(device_buffer& o) noexcept {
    std::swap(cache_, o.cache_);
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    std::swap(stream_, o.stream_);
  }

  block_cache* cache_ = nullptr;
  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace mr
