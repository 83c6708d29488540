#include "tensor.hpp"

#include <thrust/execution_policy.h>
#include <thrust/sort.h>

namespace tx {
namespace {

constexpr int kThreads = 256;

inline unsigned blocksFor(int64_t n) { return static_cast<unsigned>((n + kThreads - 1) / kThreads); }

// Lets Thrust take its temporary storage from the caching allocator.
struct ThrustAllocator {
  using value_type = char;
  char* allocate(std::ptrdiff_t bytes) {
    return static_cast<char*>(CachingAllocator::get().allocate(bytes, getCurrentCUDAStream()));
  }
  void deallocate(char* p, std::size_t) { CachingAllocator::get().release(p); }
};

__global__ void affineKernel(float* out, const float* x, float scale, float shift, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = x[i] * scale + shift;
}

__global__ void arangeKernel(int64_t* out, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) out[i] = i;
}

// Indices outside of src give zero.
__global__ void takeKernel(float* out, const float* src, int64_t m, const int64_t* index, int64_t n) {
  const int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i >= n) return;
  const int64_t j = index[i];
  out[i] = j >= 0 && j < m ? src[j] : 0.0f;
}
}  // namespace

namespace ops {
Tensor<float> affine(const Tensor<float>& x, float scale, float shift) {
  auto out = Tensor<float>::empty(x.numel());
  if (x.numel() == 0) return out;
  affineKernel<<<blocksFor(x.numel()), kThreads, 0, getCurrentCUDAStream()>>>(
      out.data(), x.data(), scale, shift, x.numel());
  TX_KERNEL_LAUNCH_CHECK();
  return out;
}

Tensor<int64_t> argsort(const Tensor<float>& values) {
  const int64_t n = values.numel();
  auto order = Tensor<int64_t>::empty(n);
  if (n == 0) return order;

  auto stream = getCurrentCUDAStream();
  auto keys = values.clone();
  arangeKernel<<<blocksFor(n), kThreads, 0, stream>>>(order.data(), n);
  TX_KERNEL_LAUNCH_CHECK();

  ThrustAllocator alloc;
  auto policy = thrust::cuda::par(alloc).on(stream);
  thrust::stable_sort_by_key(policy, keys.data(), keys.data() + n, order.data());
  return order;
}

Tensor<float> take(const Tensor<float>& src, const Tensor<int64_t>& index) {
  const int64_t n = index.numel();
  auto out = Tensor<float>::empty(n);
  if (n == 0) return out;
  takeKernel<<<blocksFor(n), kThreads, 0, getCurrentCUDAStream()>>>(
      out.data(), src.data(), src.numel(), index.data(), n);
  TX_KERNEL_LAUNCH_CHECK();
  return out;
}
}  // namespace ops
}  // namespace tx
