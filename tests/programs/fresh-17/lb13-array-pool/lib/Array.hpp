#pragma once
#include "memory.hpp"
#include <algorithm>

namespace fa {

namespace kernel {
constexpr int kThreads = 256;
constexpr int kMaxBlocks = 64;

template <typename T>
__global__ void constantKernel(T* out, T value, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = value;
}
template <typename T, typename Op>
__global__ void unaryKernel(T* out, const T* in, Op op, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = op(in[i]);
}
template <typename T, typename Op>
__global__ void binaryKernel(T* out, const T* lhs, const T* rhs, Op op, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) out[i] = op(lhs[i], rhs[i]);
}
inline int blocksFor(int n) { return std::max(1, std::min(kMaxBlocks, (n + kThreads - 1) / kThreads)); }
}  // namespace kernel

/// Dense vector on the device. Belongs to the queue that was active when it was made;
/// sharing among queues needs sync().
template <typename T>
class Array {
 public:
  Array() = default;
  explicit Array(int n) : data_(memAlloc<T>(n)), n_(n), queue_(getActiveQueueId()) {}

  int elements() const { return n_; }
  T* get() const { return data_.get(); }
  cudaStream_t queue() const { return getQueueHandle(queue_); }
  bool unique() const { return data_.use_count() == 1; }

  void host(T* dst) const {
    FA_CUDA_CHECK(cudaMemcpyAsync(dst, get(), n_ * sizeof(T), cudaMemcpyDeviceToHost, queue()));
    FA_CUDA_CHECK(cudaStreamSynchronize(queue()));
  }

 private:
  std::shared_ptr<T> data_;
  int n_ = 0;
  int queue_ = 0;
};

template <typename T>
Array<T> constant(T value, int n) {
  Array<T> out(n);
  kernel::constantKernel<T><<<kernel::blocksFor(n), kernel::kThreads, 0, out.queue()>>>(out.get(), value, n);
  FA_CUDA_CHECK(cudaGetLastError());
  return out;
}

template <typename T, typename Op>
Array<T> unary(const Array<T>& in, Op op) {
  Array<T> out(in.elements());
  kernel::unaryKernel<<<kernel::blocksFor(in.elements()), kernel::kThreads, 0, out.queue()>>>(out.get(), in.get(), op, in.elements());
  FA_CUDA_CHECK(cudaGetLastError());
  return out;
}

template <typename T, typename Op>
Array<T> binary(const Array<T>& lhs, const Array<T>& rhs, Op op) {
  if (lhs.elements() != rhs.elements()) throw FaError(__func__, __FILE__, __LINE__, "sizes differ");
  Array<T> out(lhs.elements());
  kernel::binaryKernel<<<kernel::blocksFor(lhs.elements()), kernel::kThreads, 0, out.queue()>>>(out.get(), lhs.get(), rhs.get(), op, lhs.elements());
  FA_CUDA_CHECK(cudaGetLastError());
  return out;
}

}  // namespace fa
