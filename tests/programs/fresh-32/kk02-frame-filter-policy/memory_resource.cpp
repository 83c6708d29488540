#include "column.hpp"

namespace frame {

void* cuda_memory_resource::allocate(std::size_t bytes) {
  void* p = nullptr;
  FRAME_CUDA_TRY(cudaMalloc(&p, bytes));
  return p;
}

void cuda_memory_resource::deallocate(void* p, std::size_t) noexcept { cudaFree(p); }

memory_resource* default_resource() {
  static cuda_memory_resource mr;
  return &mr;
}

}  // namespace frame
