#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <vector>

namespace frame {

struct failure : std::runtime_error {
  cudaError_t code;
  explicit failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)), code(e) {}
};

#define FRAME_TRY(call)                            \
  do {                                             \
    cudaError_t frame_e_ = (call);                 \
    if (frame_e_ != cudaSuccess) throw ::frame::failure(frame_e_); \
  } while (0)

namespace detail {

// Page-locked slabs for uploads; a slab is at least `slab_bytes` long and is recycled.
class staging_pool {
 public:
  static constexpr std::size_t slab_bytes = std::size_t{1} << 20;

  struct slab {
    std::byte* data     = nullptr;
    std::size_t bytes   = 0;
    cudaEvent_t drained = nullptr;
  };

  static staging_pool& instance();

  slab acquire(std::size_t bytes);
  void release(slab s, cudaStream_t stream);
  std::size_t created() const { return created_; }

 private:
  std::mutex mutex_;
  std::vector<slab> idle_;
  std::size_t created_ = 0;
};

// Owns a slab for the length of one upload on `stream`.
class staging_lease {
 public:
  staging_lease(std::size_t bytes, cudaStream_t stream)
    : slab_(staging_pool::instance().acquire(bytes)), stream_(stream)
  {
  }
  staging_lease(staging_lease const&)            = delete;
  staging_lease& operator=(staging_lease const&) = delete;
  ~staging_lease() { staging_pool::instance().release(slab_, stream_); }

  template <class T>
  T* as() const { return reinterpret_cast<T*>(slab_.data); }

 private:
  staging_pool::slab slab_;
  cudaStream_t stream_;
};

}  // namespace detail
}  // namespace frame
