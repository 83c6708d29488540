#include "weft.h"

#include <cstdint>

namespace weft {

namespace detail {

struct SpaceImpl {
  SpaceImpl() {
    check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    check(cudaEventCreateWithFlags(&mark, cudaEventDisableTiming));
    int device = 0;
    check(cudaGetDevice(&device));
    cudaMemPoolProps props = {};
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = device;
    check(cudaMemPoolCreate(&pool, &props));
    std::uint64_t keep = UINT64_MAX;
    check(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep));
  }

  ~SpaceImpl() {
    cudaStreamDestroy(stream);
    cudaEventDestroy(mark);
    cudaMemPoolDestroy(pool);
  }

  cudaStream_t stream = nullptr;
  cudaEvent_t mark = nullptr;
  cudaMemPool_t pool = nullptr;
};

}  // namespace detail

Space::Space() : impl_(std::make_shared<detail::SpaceImpl>()) {}

cudaStream_t Space::stream() const { return impl_->stream; }

void Space::after(const Space& other) const {
  check(cudaEventRecord(other.impl_->mark, other.impl_->stream));
  check(cudaStreamWaitEvent(impl_->stream, other.impl_->mark, 0));
}

void Space::fence() const { check(cudaStreamSynchronize(impl_->stream)); }

void* Space::scratch_allocate(std::size_t bytes) const {
  void* p = nullptr;
  check(cudaMallocFromPoolAsync(&p, bytes, impl_->pool, impl_->stream));
  return p;
}

void Space::scratch_release(void* p) const noexcept {
  if (p) cudaFreeAsync(p, impl_->stream);
}

std::vector<Space> partition(int count) {
  std::vector<Space> spaces;
  for (int k = 0; k < count; ++k) spaces.emplace_back();
  return spaces;
}

}  // namespace weft
