#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <stdexcept>

namespace mdkit {

class cuda_failure : public std::runtime_error {
 public:
  explicit cuda_failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw cuda_failure(e);
}

struct device_delete {
  void operator()(void* p) const noexcept { cudaFree(p); }
};

template <class T>
using device_array = std::unique_ptr<T[], device_delete>;

template <class T>
device_array<T> make_device_array(std::size_t n) {
  void* p = nullptr;
  check(cudaMalloc(&p, n * sizeof(T)));
  return device_array<T>(static_cast<T*>(p));
}

struct host_delete {
  void operator()(void* p) const noexcept { cudaFreeHost(p); }
};

template <class T>
using host_array = std::unique_ptr<T[], host_delete>;

template <class T>
host_array<T> make_host_array(std::size_t n) {
  void* p = nullptr;
  check(cudaMallocHost(&p, n * sizeof(T)));
  return host_array<T>(static_cast<T*>(p));
}

}  // namespace mdkit
