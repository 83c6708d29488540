#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <memory>
#include <stdexcept>
#include <type_traits>

namespace tonelab {

inline void expect(cudaError_t status) {
  if (status != cudaSuccess) throw std::runtime_error(cudaGetErrorName(status));
}

struct DeviceDelete {
  void operator()(void* p) const { cudaFree(p); }
};
struct HostDelete {
  void operator()(void* p) const { cudaFreeHost(p); }
};

template <class T>
using DeviceArray = std::unique_ptr<T[], DeviceDelete>;
template <class T>
using PinnedArray = std::unique_ptr<T[], HostDelete>;

template <class T>
DeviceArray<T> device_array(std::size_t n) {
  void* p = nullptr;
  expect(cudaMalloc(&p, n * sizeof(T)));
  return DeviceArray<T>(static_cast<T*>(p));
}

template <class T>
PinnedArray<T> pinned_array(std::size_t n) {
  void* p = nullptr;
  expect(cudaMallocHost(&p, n * sizeof(T)));
  return PinnedArray<T>(static_cast<T*>(p));
}

// Bump allocator over one page-locked block, for what a single run hands to the device.
class ScratchArena {
 public:
  explicit ScratchArena(std::size_t bytes) : block_(pinned_array<std::byte>(bytes)), bytes_(bytes) {}

  void reset() { used_ = 0; }

  template <class T>
  T* take(std::size_t n) {
    static_assert(std::is_trivially_copyable_v<T>);
    const std::size_t at = (used_ + 255) & ~std::size_t{255};
    if (at + n * sizeof(T) > bytes_) throw std::length_error("ScratchArena");
    used_ = at + n * sizeof(T);
    return reinterpret_cast<T*>(block_.get() + at);
  }

 private:
  PinnedArray<std::byte> block_;
  std::size_t bytes_;
  std::size_t used_ = 0;
};

}  // namespace tonelab
