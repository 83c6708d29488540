#pragma once
#include <cstddef>
#include <cstdint>

#include "cuda_stream_view.hpp"

namespace colm::mr {

class device_memory_resource {
 public:
  virtual ~device_memory_resource() = default;

  void* allocate(std::size_t bytes, cuda_stream_view stream) {
    return bytes == 0 ? nullptr : do_allocate(bytes, stream);
  }
  void deallocate(void* ptr, std::size_t bytes,
                  cuda_stream_view stream) noexcept {
    if (ptr != nullptr) { do_deallocate(ptr, bytes, stream); }
  }

 private:
  virtual void* do_allocate(std::size_t bytes, cuda_stream_view stream) = 0;
  virtual void do_deallocate(void* ptr, std::size_t bytes,
                             cuda_stream_view stream) noexcept = 0;
};

/// Stream-ordered memory from the device's default pool, which keeps what it
/// has reserved.
class async_memory_resource final : public device_memory_resource {
 public:
  async_memory_resource() {
    cudaMemPool_t pool{};
    throw_on_error(cudaDeviceGetDefaultMemPool(&pool, 0));
    std::uint64_t threshold = UINT64_MAX;
    throw_on_error(cudaMemPoolSetAttribute(
        pool, cudaMemPoolAttrReleaseThreshold, &threshold));
  }

 private:
  void* do_allocate(std::size_t bytes, cuda_stream_view stream) override {
    void* ptr{};
    throw_on_error(cudaMallocAsync(&ptr, bytes, stream.value()));
    return ptr;
  }
  void do_deallocate(void* ptr, std::size_t,
                     cuda_stream_view stream) noexcept override {
    cudaFreeAsync(ptr, stream.value());
  }
};

inline device_memory_resource* get_current_resource() {
  static async_memory_resource resource;
  return &resource;
}

}  // namespace colm::mr
