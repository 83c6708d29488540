#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <stdexcept>
#include <utility>

namespace qop {

struct Error : std::runtime_error {
  explicit Error(cudaError_t c) : std::runtime_error(cudaGetErrorName(c)) {}
};

inline void check(cudaError_t c) {
  if (c != cudaSuccess) throw Error(c);
}

// Stream-ordered device memory. Move-only; remembers the stream in whose
// order it is given back.
template <typename T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(std::size_t size, cudaStream_t stream) : size_(size), stream_(stream) {
    check(cudaMallocAsync(reinterpret_cast<void**>(&data_), size * sizeof(T), stream));
  }
  DeviceArray(DeviceArray&& o) noexcept
      : data_(std::exchange(o.data_, nullptr)), size_(std::exchange(o.size_, 0)), stream_(o.stream_) {}
  DeviceArray& operator=(DeviceArray&& o) noexcept {
    if (this != &o) {
      release();
      data_ = std::exchange(o.data_, nullptr);
      size_ = std::exchange(o.size_, 0);
      stream_ = o.stream_;
    }
    return *this;
  }
  ~DeviceArray() { release(); }

  T* data() { return data_; }
  const T* data() const { return data_; }
  std::size_t size() const { return size_; }
  cudaStream_t stream() const { return stream_; }
  void set_stream(cudaStream_t stream) { stream_ = stream; }

 private:
  void release() noexcept {
    if (data_) cudaFreeAsync(data_, stream_);
    data_ = nullptr;
  }

  T* data_ = nullptr;
  std::size_t size_ = 0;
  cudaStream_t stream_ = nullptr;
};

}  // namespace qop
