#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

#include <cuda_runtime.h>

namespace rescore {

struct cuda_exception : std::runtime_error {
  explicit cuda_exception(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)), code(c) {}
  cudaError_t code;
};

inline void verify(cudaError_t rc)
{
  if (rc != cudaSuccess) throw cuda_exception(rc);
}

/// Owned device memory of `size()` elements.
template <typename T>
class device_array {
 public:
  device_array() = default;
  explicit device_array(std::size_t n) : size_(n) { verify(cudaMalloc(reinterpret_cast<void**>(&data_), n * sizeof(T))); }
  device_array(device_array const&) = delete;
  device_array(device_array&& o) noexcept : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)) {}
  device_array& operator=(device_array&& o) noexcept
  {
    device_array tmp(std::move(o));
    std::swap(data_, tmp.data_);
    std::swap(size_, tmp.size_);
    return *this;
  }
  ~device_array()
  {
    if (data_) cudaFree(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return size_; }

 private:
  T* data_          = nullptr;
  std::size_t size_ = 0;
};

}  // namespace rescore
