#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <vector>

namespace desk {

[[noreturn]] inline void quit(cudaError_t code) {
  std::printf("ERROR %s\n", cudaGetErrorName(code));
  std::fflush(stdout);
  std::_Exit(1);
}

inline void ensure(cudaError_t code) {
  if (code != cudaSuccess) quit(code);
}

/// Device array of fixed size.
template <typename T>
class DeviceArray {
 public:
  explicit DeviceArray(std::size_t n) : n_(n) { ensure(cudaMalloc(&p_, n * sizeof(T))); }
  ~DeviceArray() { ensure(cudaFree(p_)); }
  DeviceArray(const DeviceArray&) = delete;
  DeviceArray& operator=(const DeviceArray&) = delete;

  void assign(const std::vector<T>& v) { ensure(cudaMemcpy(p_, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice)); }
  T* get() const noexcept { return p_; }
  std::size_t size() const noexcept { return n_; }

 private:
  T* p_ = nullptr;
  std::size_t n_ = 0;
};

struct HostFree {
  void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

/// Page-locked object which the device sees under the same address.
template <typename T>
using Shared = std::unique_ptr<T, HostFree>;

template <typename T>
Shared<T> make_shared_with_device() {
  void* p = nullptr;
  ensure(cudaHostAlloc(&p, sizeof(T), cudaHostAllocMapped | cudaHostAllocPortable));
  return Shared<T>(new (p) T());
}

}  // namespace desk
