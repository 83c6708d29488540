#include "host_memory.h"

#include <cstdlib>
#include <cstring>
#include <new>

namespace mod {

void* HeapAllocator::allocate(size_t bytes) {
  void* p = std::malloc(bytes);
  if (!p) throw std::bad_alloc();
  std::memset(p, 0, bytes);
  return p;
}

void HeapAllocator::release(void* p) noexcept { std::free(p); }

void* PageLockedAllocator::allocate(size_t bytes) {
  void* p = nullptr;
  MOD_CHECK(cudaHostAlloc(&p, bytes, cudaHostAllocDefault));
  std::memset(p, 0, bytes);
  return p;
}

void PageLockedAllocator::release(void* p) noexcept { cudaFreeHost(p); }

}  // namespace mod
