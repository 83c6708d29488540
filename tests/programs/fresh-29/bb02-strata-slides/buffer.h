#pragma once
#include "memory_resource.h"
#include <utility>

namespace strata {

/// Untyped device memory tied to a stream: the one given at construction, or the one of the last
/// set_stream(). The memory goes back to its resource on that stream.
class device_buffer {
 public:
  device_buffer() = default;
  device_buffer(std::size_t bytes, cudaStream_t s, memory_resource* mr = current_resource())
      : mr_(mr), stream_(s), bytes_(bytes), data_(mr->allocate(bytes, s)) {}

  device_buffer(device_buffer&& other) noexcept
      : mr_(other.mr_),
        stream_(other.stream_),
        bytes_(std::exchange(other.bytes_, 0)),
        data_(std::exchange(other.data_, nullptr)) {}

  /// Gives up the memory held so far and takes over that of `other`, with its stream and resource.
  device_buffer& operator=(device_buffer&& other) noexcept {
    if (this != &other) {
      release();
      stream_ = other.stream_;
      mr_ = other.mr_;
      bytes_ = std::exchange(other.bytes_, 0);
      data_ = std::exchange(other.data_, nullptr);
    }
    return *this;
  }

  ~device_buffer() { release(); }

  void* data() const noexcept { return data_; }
  std::size_t bytes() const noexcept { return bytes_; }
  cudaStream_t stream() const noexcept { return stream_; }

  /// From now on the buffer belongs to `s`. The caller orders `s` after earlier uses elsewhere.
  void set_stream(cudaStream_t s) noexcept { stream_ = s; }

 private:
  void release() noexcept {
    if (data_) mr_->deallocate(data_, bytes_, stream_);
    data_ = nullptr;
    bytes_ = 0;
  }

  memory_resource* mr_{};
  cudaStream_t stream_{};
  std::size_t bytes_{};
  void* data_{};
};

template <class T>
class device_vector {
 public:
  device_vector() = default;
  device_vector(std::size_t n, cudaStream_t s) : buffer_(n * sizeof(T), s) {}
  T* data() const noexcept { return static_cast<T*>(buffer_.data()); }
  std::size_t size() const noexcept { return buffer_.bytes() / sizeof(T); }
  void set_stream(cudaStream_t s) noexcept { buffer_.set_stream(s); }

 private:
  device_buffer buffer_;
};

}  // namespace strata
