#pragma once
#include "memory_resource.hpp"

#include <utility>

namespace cf {
/// Untyped, move-only device allocation that belongs to a stream.
class device_buffer {
 public:
  device_buffer() = default;

  device_buffer(std::size_t bytes, stream_view stream, device_memory_resource* mr)
    : data_{mr->allocate(bytes, stream)}, size_{bytes}, stream_{stream}, mr_{mr} {}

  device_buffer(device_buffer&& other) noexcept
    : data_{std::exchange(other.data_, nullptr)},
      size_{std::exchange(other.size_, 0)},
      stream_{other.stream_},
      mr_{other.mr_} {}

  device_buffer& operator=(device_buffer&& other) noexcept
  {
    if (this != &other) {
      release();
      set_stream(other.stream_);
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
      mr_   = other.mr_;
    }
    return *this;
  }

  ~device_buffer() { release(); }

  void* data() noexcept { return data_; }
  void const* data() const noexcept { return data_; }
  void set_stream(stream_view stream) noexcept { stream_ = stream; }

 private:
  void release() noexcept
  {
    if (data_ != nullptr) mr_->deallocate(data_, size_, stream_);
    data_ = nullptr;
    size_ = 0;
  }

  void* data_{};
  std::size_t size_{};
  stream_view stream_{};
  device_memory_resource* mr_{};
};
}  // namespace cf
