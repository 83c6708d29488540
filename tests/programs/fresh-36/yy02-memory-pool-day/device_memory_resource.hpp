#pragma once

#include "cuda_stream.hpp"

#include <cstddef>

namespace strata {
namespace mr {

class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;
  void* allocate(std::size_t bytes, cuda_stream_view stream = {}) { return do_allocate(align_up(bytes), stream); }
  void deallocate(void* ptr, std::size_t bytes, cuda_stream_view stream = {}) { do_deallocate(ptr, align_up(bytes), stream); }

 private:
  static constexpr std::size_t align_up(std::size_t bytes) { return (bytes + 255) / 256 * 256; }
  virtual void* do_allocate(std::size_t bytes, cuda_stream_view stream) = 0;
  virtual void do_deallocate(void* ptr, std::size_t bytes, cuda_stream_view stream) = 0;
};

class cuda_memory_resource final : public device_memory_resource {
  void* do_allocate(std::size_t bytes, cuda_stream_view) override {
    void* ptr{nullptr};
    STRATA_CUDA_TRY(cudaMalloc(&ptr, bytes));
    return ptr;
  }
  void do_deallocate(void* ptr, std::size_t, cuda_stream_view) override { STRATA_CUDA_TRY(cudaFree(ptr)); }
};

}  // namespace mr

/// Uninitialised device vector.
template <typename T>
class device_uvector {
 public:
  device_uvector(std::size_t size, cuda_stream_view stream, mr::device_memory_resource* mr)
    : data_{static_cast<T*>(mr->allocate(size * sizeof(T), stream))}, size_{size}, stream_{stream}, mr_{mr} {}
  device_uvector(device_uvector const&) = delete;
  device_uvector& operator=(device_uvector const&) = delete;
  ~device_uvector() { mr_->deallocate(data_, size_ * sizeof(T), stream_); }

  [[nodiscard]] T* data() noexcept { return data_; }
  [[nodiscard]] T const* data() const noexcept { return data_; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }

 private:
  T* data_;
  std::size_t size_;
  cuda_stream_view stream_;
  mr::device_memory_resource* mr_;
};

}  // namespace strata
