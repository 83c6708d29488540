#pragma once
#include <utility>

#include "memory_resource.hpp"

namespace colm {

/// Untyped, uninitialised device memory with the stream that it is ordered on.
class device_buffer {
 public:
  device_buffer() = default;

  device_buffer(
      std::size_t size, cuda_stream_view stream,
      mr::device_memory_resource* mr = mr::get_current_resource())
      : size_{size}, stream_{stream}, mr_{mr} {
    data_ = mr_->allocate(size_, stream_);
  }

  device_buffer(device_buffer&& other) noexcept
      : data_{std::exchange(other.data_, nullptr)},
        size_{std::exchange(other.size_, 0)},
        stream_{other.stream_},
        mr_{other.mr_} {}

  device_buffer& operator=(device_buffer&& other) noexcept {
    if (&other != this) {
      set_stream(other.stream());
      deallocate_async();

      mr_ = other.mr_;
      data_ = std::exchange(other.data_, nullptr);
      size_ = std::exchange(other.size_, 0);
    }
    return *this;
  }

  device_buffer(device_buffer const&) = delete;
  device_buffer& operator=(device_buffer const&) = delete;

  ~device_buffer() { deallocate_async(); }

  [[nodiscard]] void* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] cuda_stream_view stream() const noexcept { return stream_; }
  void set_stream(cuda_stream_view stream) noexcept { stream_ = stream; }

 private:
  void deallocate_async() noexcept {
    if (mr_ != nullptr) { mr_->deallocate(data_, size_, stream_); }
    data_ = nullptr;
    size_ = 0;
  }

  void* data_{};
  std::size_t size_{};
  cuda_stream_view stream_{};
  mr::device_memory_resource* mr_{};
};

}  // namespace colm
