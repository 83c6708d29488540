#pragma once

#include "device_memory_resource.hpp"

#include <cstddef>

namespace lrm {

/// Untyped, uninitialised, resizable, stream-ordered device storage.
///
/// The buffer remembers the stream of the last operation that (re)allocated it and uses it for the
/// deallocation in its destructor.
class device_buffer {
 public:
  device_buffer(std::size_t size, cuda_stream_view stream, device_memory_resource* mr);
  device_buffer(void const* src, std::size_t size, cuda_stream_view stream, device_memory_resource* mr);
  device_buffer(device_buffer const& other, cuda_stream_view stream);
  device_buffer(device_buffer&& other) noexcept;
  device_buffer& operator=(device_buffer&& other) noexcept;
  device_buffer(device_buffer const&)            = delete;
  device_buffer& operator=(device_buffer const&) = delete;
  ~device_buffer() noexcept;

  /// Grow the capacity; the contents are kept. Work is ordered on `stream`.
  void reserve(std::size_t new_capacity, cuda_stream_view stream);
  /// Change the size; grows if needed. Work is ordered on `stream`.
  void resize(std::size_t new_size, cuda_stream_view stream);
  void shrink_to_fit(cuda_stream_view stream);

  [[nodiscard]] void* data() noexcept { return data_; }
  [[nodiscard]] void const* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  [[nodiscard]] cuda_stream_view stream() const noexcept { return stream_; }
  void set_stream(cuda_stream_view stream) noexcept { stream_ = stream; }

 private:
  void allocate_async(std::size_t bytes);
  void deallocate_async() noexcept;
  void copy_async(void const* source, std::size_t bytes);

  void* data_{nullptr};
  std::size_t size_{0};
  std::size_t capacity_{0};
  cuda_stream_view stream_{};
  device_memory_resource* mr_{nullptr};
};

}  // namespace lrm
