#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>

namespace serving {

// Standard allocator over page-locked host memory.
template <class T>
struct PinnedAllocator {
  using value_type = T;

  PinnedAllocator() = default;
  template <class U>
  PinnedAllocator(const PinnedAllocator<U>&) {}

  T* allocate(std::size_t n) {
    void* p = nullptr;
    if (cudaMallocHost(&p, n * sizeof(T)) != cudaSuccess) throw std::bad_alloc();
    return static_cast<T*>(p);
  }
  void deallocate(T* p, std::size_t) { cudaFreeHost(p); }

  template <class U>
  bool operator==(const PinnedAllocator<U>&) const { return true; }
  template <class U>
  bool operator!=(const PinnedAllocator<U>&) const { return false; }
};

}  // namespace serving
