#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <new>
#include <vector>

[[noreturn]] inline void abort_with(cudaError_t e) {
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}
#define RECO_OK(x)                               \
  do {                                           \
    const cudaError_t reco_rc = (x);             \
    if (reco_rc != cudaSuccess) abort_with(reco_rc); \
  } while (0)

// Host memory for the readout boards.
template <class T>
struct HostAllocator {
  using value_type = T;
  HostAllocator() = default;
  template <class U>
  HostAllocator(const HostAllocator<U>&) {}
  T* allocate(std::size_t n) {
    void* p = nullptr;
    if (cudaMallocHost(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { cudaFreeHost(p); }
  template <class U>
  bool operator==(const HostAllocator<U>&) const { return true; }
  template <class U>
  bool operator!=(const HostAllocator<U>&) const { return false; }
};

template <class T>
using HostVec = std::vector<T, HostAllocator<T>>;
