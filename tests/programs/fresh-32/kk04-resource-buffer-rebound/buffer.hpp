#pragma once
#include "resource.hpp"
#include <utility>

namespace memkit {

/**
 * Untyped, uninitialised device storage of a caching_resource.
 *
 * A buffer has a stream: that of its construction or, after a resize() or
 * set_stream(), the one passed last. Its memory goes back on that stream, so work that
 * uses the buffer and was issued there needs no synchronisation before destruction.
 */
class buffer {
 public:
  buffer(std::size_t bytes, cudaStream_t stream, caching_resource& mr)
    : mr_(&mr), stream_(stream), size_(bytes), capacity_(bytes),
      data_(bytes ? mr.allocate(bytes, stream) : nullptr) {}

  buffer(buffer&& o) noexcept
    : mr_(o.mr_), stream_(o.stream_), size_(std::exchange(o.size_, 0)),
      capacity_(std::exchange(o.capacity_, 0)), data_(std::exchange(o.data_, nullptr)) {}

  buffer& operator=(buffer&& o) noexcept {
    if (this != &o) {
      release();
      mr_ = o.mr_;
      stream_ = o.stream_;
      size_ = std::exchange(o.size_, 0);
      capacity_ = std::exchange(o.capacity_, 0);
      data_ = std::exchange(o.data_, nullptr);
    }
    return *this;
  }
  ~buffer() { release(); }

  /// Changes the size; the contents up to the smaller size are kept. Work already issued
  /// on the buffer's previous stream is ordered before the copy.
  void resize(std::size_t bytes, cudaStream_t stream);

  void set_stream(cudaStream_t stream) noexcept { stream_ = stream; }
  cudaStream_t stream() const noexcept { return stream_; }
  std::size_t size() const noexcept { return size_; }
  std::size_t capacity() const noexcept { return capacity_; }
  template <typename T> T* as() noexcept { return static_cast<T*>(data_); }
  template <typename T> T const* as() const noexcept { return static_cast<T const*>(data_); }

 private:
  void release() noexcept {
    if (data_) mr_->deallocate(data_, capacity_, stream_);
    data_ = nullptr;
  }

  caching_resource* mr_;
  cudaStream_t stream_;
  std::size_t size_;
  std::size_t capacity_;
  void* data_;
};

}  // namespace memkit
