#pragma once
#include "memory_resource.hpp"

#include <utility>

namespace tabula {

// Untyped device storage that returns to its resource when it goes out of scope.
class device_buffer {
 public:
  device_buffer(std::size_t bytes, cudaStream_t stream, mr::device_memory_resource* mr)
    : mr_{mr}, data_{mr->allocate(bytes, stream)}, bytes_{bytes}, stream_{stream}
  {
  }

  device_buffer(device_buffer&& other) noexcept
    : mr_{other.mr_},
      data_{std::exchange(other.data_, nullptr)},
      bytes_{std::exchange(other.bytes_, 0)},
      stream_{other.stream_}
  {
  }

  device_buffer(device_buffer const&)            = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer&&)      = delete;

  ~device_buffer()
  {
    if (data_ != nullptr) mr_->deallocate(data_, bytes_, stream_);
  }

  template <typename T>
  T* as() noexcept { return static_cast<T*>(data_); }
  template <typename T>
  T const* as() const noexcept { return static_cast<T const*>(data_); }

  std::size_t bytes() const noexcept { return bytes_; }
  cudaStream_t stream() const noexcept { return stream_; }
  void set_stream(cudaStream_t stream) noexcept { stream_ = stream; }

 private:
  mr::device_memory_resource* mr_{};
  void* data_{};
  std::size_t bytes_{};
  cudaStream_t stream_{};
};

}  // namespace tabula
