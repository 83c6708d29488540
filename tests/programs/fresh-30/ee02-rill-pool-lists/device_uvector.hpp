// rill: uninitialised vector of trivially copyable elements in device memory.
#pragma once

#include "memory_resource.hpp"

#include <type_traits>
#include <vector>

namespace rill {

template <typename T>
class device_uvector {
  static_assert(std::is_trivially_copyable<T>::value, "elements must be trivially copyable");

 public:
  device_uvector(std::size_t size, stream_view stream, device_memory_resource* mr)
    : mr_{mr}, stream_{stream}, size_{size}, capacity_{size}
  {
    data_ = static_cast<T*>(mr_->allocate(capacity_ * sizeof(T), stream_));
  }

  ~device_uvector() { release(); }

  device_uvector(device_uvector&& other) noexcept
    : mr_{other.mr_},
      stream_{other.stream_},
      size_{std::exchange(other.size_, 0)},
      capacity_{std::exchange(other.capacity_, 0)},
      data_{std::exchange(other.data_, nullptr)}
  {
  }

  device_uvector& operator=(device_uvector&& other) noexcept
  {
    if (this != &other) {
      release();
      mr_       = other.mr_;
      stream_   = other.stream_;
      size_     = std::exchange(other.size_, 0);
      capacity_ = std::exchange(other.capacity_, 0);
      data_     = std::exchange(other.data_, nullptr);
    }
    return *this;
  }

  device_uvector(device_uvector const&)            = delete;
  device_uvector& operator=(device_uvector const&) = delete;

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] T const* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t ssize_bytes() const noexcept { return size_ * sizeof(T); }
  [[nodiscard]] stream_view stream() const noexcept { return stream_; }

  void set_zero_async(stream_view stream)
  {
    RILL_CUDA_TRY(cudaMemsetAsync(data_, 0, ssize_bytes(), stream));
  }

  /// Copies out and waits for the copy.
  [[nodiscard]] std::vector<T> to_host(stream_view stream) const
  {
    std::vector<T> out(size_);
    RILL_CUDA_TRY(
      cudaMemcpyAsync(out.data(), data_, ssize_bytes(), cudaMemcpyDeviceToHost, stream));
    stream.synchronize();
    return out;
  }

 private:
  void release() noexcept
  {
    if (data_ != nullptr) { mr_->deallocate(data_, capacity_ * sizeof(T), stream_); }
    data_ = nullptr;
  }

  device_memory_resource* mr_;
  stream_view stream_;
  std::size_t size_{};
  std::size_t capacity_{};
  T* data_{};
};

}  // namespace rill
