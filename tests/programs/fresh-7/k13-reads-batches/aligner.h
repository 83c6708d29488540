#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>

struct CudaError : std::runtime_error {
  explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void operator>>(cudaError_t e, std::nullptr_t) {
  if (e != cudaSuccess) throw CudaError(e);
}

// Whole pages of ordinary memory that the device can reach for as long as this object lives.
template <typename T>
class Reachable {
 public:
  explicit Reachable(std::size_t n) : bytes_((n * sizeof(T) + kPage - 1) / kPage * kPage) {
    items_ = static_cast<T*>(std::aligned_alloc(kPage, bytes_));
    if (!items_) throw std::bad_alloc();
    cudaHostRegister(items_, bytes_, cudaHostRegisterDefault) >> nullptr;
  }
  ~Reachable() {
    cudaHostUnregister(items_);
    std::free(items_);
  }
  Reachable(const Reachable&) = delete;
  Reachable& operator=(const Reachable&) = delete;

  T* data() { return items_; }
  T& operator[](std::size_t i) { return items_[i]; }

 private:
  static constexpr std::size_t kPage = 4096;
  std::size_t bytes_;
  T* items_ = nullptr;
};

// Seeds short reads in a reference of packed bases. One aligner is used by one thread at a time.
class Aligner {
 public:
  explicit Aligner(int id);
  ~Aligner();

  // Returns the number of reads whose seed came out wrong.
  long batch(int number);

 private:
  static constexpr int kReads = 1 << 15;
  int id_;
  Reachable<std::uint64_t> reads_{kReads};
  Reachable<std::uint32_t> seeds_{kReads};
  std::uint64_t* dReads_ = nullptr;
  std::uint32_t* dSeeds_ = nullptr;
};
