#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <stdexcept>
#include <vector>

namespace vol {

class cuda_error : public std::runtime_error {
 public:
  explicit cuda_error(cudaError_t code)
      : std::runtime_error(cudaGetErrorString(code)), code_(code) {}
  cudaError_t code() const noexcept { return code_; }

 private:
  cudaError_t code_;
};

inline void ensure(cudaError_t code) {
  if (code != cudaSuccess) throw cuda_error(code);
}

/// Fixed-size array in device memory.
template <class T>
class device_array {
 public:
  explicit device_array(std::size_t size) : size_(size) {
    void* p = nullptr;
    ensure(cudaMalloc(&p, size * sizeof(T)));
    data_ = static_cast<T*>(p);
  }
  device_array(const device_array&) = delete;
  device_array& operator=(const device_array&) = delete;
  ~device_array() { cudaFree(data_); }

  void assign(const std::vector<T>& from) {
    if (from.size() != size_) throw cuda_error(cudaErrorInvalidValue);
    ensure(cudaMemcpy(data_, from.data(), size_ * sizeof(T), cudaMemcpyHostToDevice));
    ensure(cudaDeviceSynchronize());
  }
  const T* data() const noexcept { return data_; }
  std::size_t size() const noexcept { return size_; }

 private:
  T* data_ = nullptr;
  std::size_t size_;
};

}  // namespace vol
