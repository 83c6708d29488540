#include "memory.h"

namespace dimjoin {

pool_resource::pool_resource(int device) {
  cudaMemPoolProps props{};
  props.allocType = cudaMemAllocationTypePinned;
  props.handleTypes = cudaMemHandleTypeNone;
  props.location.type = cudaMemLocationTypeDevice;
  props.location.id = device;
  DJ_CUDA(cudaMemPoolCreate(&pool_, &props));
  std::uint64_t keep = UINT64_MAX;
  DJ_CUDA(cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep));
}

pool_resource::~pool_resource() { cudaMemPoolDestroy(pool_); }

void* pool_resource::allocate(std::size_t bytes, stream_view s) {
  void* p = nullptr;
  DJ_CUDA(cudaMallocFromPoolAsync(&p, bytes, pool_, s));
  return p;
}

void pool_resource::deallocate(void* p, std::size_t, stream_view s) noexcept { cudaFreeAsync(p, s); }

}  // namespace dimjoin
