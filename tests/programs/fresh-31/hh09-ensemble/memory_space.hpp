#pragma once
#include <cuda_runtime.h>

#include <cstddef>
#include <cstdlib>
#include <new>
#include <stdexcept>

namespace px {

struct Failure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

inline void check(cudaError_t e) {
  if (e != cudaSuccess) throw Failure(cudaGetErrorName(e));
}

enum class HostSpace { Regular, Pinned };

inline void* host_allocate(HostSpace space, std::size_t bytes) {
  if (bytes == 0) return nullptr;
  void* p = nullptr;
  if (space == HostSpace::Pinned) {
    check(cudaHostAlloc(&p, bytes, cudaHostAllocDefault));
  } else {
    p = std::aligned_alloc(64, (bytes + 63) / 64 * 64);
    if (!p) throw std::bad_alloc();
  }
  return p;
}

inline void host_release(HostSpace space, void* p) noexcept {
  if (!p) return;
  if (space == HostSpace::Pinned)
    cudaFreeHost(p);
  else
    std::free(p);
}

}  // namespace px
