#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>
#include <utility>

namespace tinyrt {

class error : public std::runtime_error {
 public:
  explicit error(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void check(cudaError_t code)
{
  if (code != cudaSuccess) throw error(code);
}

// Page-locked host memory.
class host_block {
 public:
  host_block() = default;
  explicit host_block(std::size_t count) : count_(count)
  {
    check(cudaMallocHost(reinterpret_cast<void**>(&data_), count * sizeof(float)));
  }
  host_block(host_block&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), count_(std::exchange(o.count_, 0)) {}
  host_block& operator=(host_block&& o) noexcept
  {
    std::swap(data_, o.data_);
    std::swap(count_, o.count_);
    return *this;
  }
  ~host_block() { if (data_) cudaFreeHost(data_); }

  float* data() { return data_; }
  std::size_t size() const { return count_; }

 private:
  float* data_ = nullptr;
  std::size_t count_ = 0;
};

class device_block {
 public:
  explicit device_block(std::size_t count) : count_(count)
  {
    check(cudaMalloc(reinterpret_cast<void**>(&data_), count * sizeof(float)));
  }
  device_block(const device_block&) = delete;
  device_block& operator=(const device_block&) = delete;
  ~device_block() { cudaFree(data_); }

  float* data() { return data_; }
  std::size_t size() const { return count_; }

 private:
  float* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace tinyrt
