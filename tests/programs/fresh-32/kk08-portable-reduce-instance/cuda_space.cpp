#include "cuda_space.hpp"

namespace perf {
namespace impl {

cuda_internal::cuda_internal(cudaStream_t stream, bool owns) : stream_(stream), owns_(owns) {
  safe_call(cudaHostAlloc(reinterpret_cast<void**>(&result_), sizeof(double), cudaHostAllocDefault),
            "cudaHostAlloc");
  *result_ = 0;
}

cuda_internal::~cuda_internal() {
  cudaStreamSynchronize(stream_);
  cudaFree(partials_);
  cudaFreeHost(result_);
  if (owns_) cudaStreamDestroy(stream_);
}

double* cuda_internal::partials(std::size_t count) {
  if (count > capacity_) {
    fence();
    safe_call(cudaFree(partials_), "cudaFree");
    partials_ = nullptr;
    capacity_ = 0;
    safe_call(cudaMalloc(&partials_, count * sizeof(double)), "cudaMalloc");
    capacity_ = count;
  }
  return partials_;
}

void cuda_internal::fence() const {
  safe_call(cudaStreamSynchronize(stream_), "cudaStreamSynchronize");
}

std::shared_ptr<cuda_internal> const& cuda_internal::singleton() {
  static std::shared_ptr<cuda_internal> const instance = [] {
    cudaStream_t s;
    safe_call(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    return std::make_shared<cuda_internal>(s, true);
  }();
  return instance;
}

}  // namespace impl
}  // namespace perf
