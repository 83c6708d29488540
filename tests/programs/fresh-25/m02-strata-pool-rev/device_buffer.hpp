#pragma once

#include "memory_resource.hpp"

#include <utility>

namespace strata {

/// Typed, uninitialised device storage, bound to a stream and a resource.
template <typename T>
class device_buffer {
 public:
  device_buffer(std::size_t size, cudaStream_t stream, memory_resource* mr)
    : size_(size), stream_(stream), mr_(mr),
      data_(static_cast<T*>(mr->allocate(size * sizeof(T), stream)))
  {
  }
  ~device_buffer()
  {
    if (data_ != nullptr) { mr_->deallocate(data_, size_ * sizeof(T), stream_); }
  }
  device_buffer(device_buffer&& o) noexcept
    : size_(o.size_), stream_(o.stream_), mr_(o.mr_), data_(std::exchange(o.data_, nullptr))
  {
  }
  device_buffer(device_buffer const&)            = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer&&)      = delete;

  T* data() noexcept { return data_; }
  T const* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }
  cudaStream_t stream() const noexcept { return stream_; }

 private:
  std::size_t size_;
  cudaStream_t stream_;
  memory_resource* mr_;
  T* data_;
};

}  // namespace strata
