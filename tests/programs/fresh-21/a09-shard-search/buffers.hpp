#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace nn {

struct cuda_exception : std::runtime_error {
  explicit cuda_exception(cudaError_t c)
      : std::runtime_error(cudaGetErrorString(c)), code(c) {}
  cudaError_t code;
};

inline void require(cudaError_t c) {
  if (c != cudaSuccess) throw cuda_exception(c);
}

template <class T>
class device_buffer {
 public:
  device_buffer() = default;
  explicit device_buffer(std::size_t n) { reserve(n); }
  device_buffer(device_buffer&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  device_buffer& operator=(device_buffer&& o) noexcept {
    std::swap(data_, o.data_);
    std::swap(size_, o.size_);
    return *this;
  }
  ~device_buffer() { cudaFree(data_); }

  /// At least n elements; the old contents are dropped when it has to grow.
  void reserve(std::size_t n) {
    if (n <= size_) return;
    cudaFree(std::exchange(data_, nullptr));
    size_ = 0;
    require(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T)));
    size_ = n;
  }
  T* data() const noexcept { return data_; }

 private:
  T* data_ = nullptr;
  std::size_t size_ = 0;
};

/// Page-locked host memory.
template <class T>
class pinned_buffer {
 public:
  explicit pinned_buffer(std::size_t n) {
    require(cudaMallocHost(reinterpret_cast<void**>(&data_), n * sizeof(T)));
  }
  pinned_buffer(const pinned_buffer&) = delete;
  ~pinned_buffer() { cudaFreeHost(data_); }
  T* data() const noexcept { return data_; }
  T& operator[](std::size_t i) const noexcept { return data_[i]; }

 private:
  T* data_ = nullptr;
};

}  // namespace nn
