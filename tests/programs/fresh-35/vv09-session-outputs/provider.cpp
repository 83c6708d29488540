#include "provider.h"

#include <cstdlib>

namespace rt {

void* CpuAllocator::Alloc(std::size_t bytes) { return std::malloc(bytes); }
void CpuAllocator::Free(void* p) { std::free(p); }

void* CudaAllocator::Alloc(std::size_t bytes) {
  void* p = nullptr;
  return cudaMalloc(&p, bytes) == cudaSuccess ? p : nullptr;
}
void CudaAllocator::Free(void* p) { cudaFree(p); }

void* CudaPinnedAllocator::Alloc(std::size_t bytes) {
  void* p = nullptr;
  return cudaMallocHost(&p, bytes) == cudaSuccess ? p : nullptr;
}
void CudaPinnedAllocator::Free(void* p) { cudaFreeHost(p); }

CudaProvider::CudaProvider()
    : cpu_(std::make_shared<CpuAllocator>()),
      cuda_(std::make_shared<CudaAllocator>()),
      pinned_(std::make_shared<CudaPinnedAllocator>()) {}

AllocatorPtr CudaProvider::GetAllocator(MemType type) const {
  switch (type) {
    case MemType::CpuInput:
      return pinned_;
    case MemType::CpuOutput:
      return cpu_;
    default:
      return cuda_;
  }
}

}  // namespace rt
