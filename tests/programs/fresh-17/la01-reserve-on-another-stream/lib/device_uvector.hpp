#pragma once

#include "device_buffer.hpp"

#include <type_traits>

namespace lrm {

/// Typed, uninitialised vector over device_buffer.
template <typename T>
class device_uvector {
  static_assert(std::is_trivially_copyable<T>::value, "device_uvector needs trivially copyable types");

 public:
  device_uvector(std::size_t n, cuda_stream_view stream, device_memory_resource* mr)
    : storage_{n * sizeof(T), stream, mr}
  {
  }

  void resize(std::size_t n, cuda_stream_view stream) { storage_.resize(n * sizeof(T), stream); }
  void reserve(std::size_t n, cuda_stream_view stream) { storage_.reserve(n * sizeof(T), stream); }

  [[nodiscard]] T* data() noexcept { return static_cast<T*>(storage_.data()); }
  [[nodiscard]] T const* data() const noexcept { return static_cast<T const*>(storage_.data()); }
  [[nodiscard]] std::size_t size() const noexcept { return storage_.size() / sizeof(T); }
  [[nodiscard]] cuda_stream_view stream() const noexcept { return storage_.stream(); }

  void set_element_to_zero_async(std::size_t i, cuda_stream_view s)
  {
    LRM_CUDA_TRY(cudaMemsetAsync(data() + i, 0, sizeof(T), s.value()));
  }

 private:
  device_buffer storage_;
};

}  // namespace lrm
