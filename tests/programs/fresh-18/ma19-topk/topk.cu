// Top-k selection over thrust::sort_by_key with a future-style result.
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/functional.h>
#include <thrust/sequence.h>
#include <thrust/sort.h>
#include <thrust/system/cuda/execution_policy.h>
#include <cuda_runtime.h>
#include <cstdio>
#include <memory>
#include <stdexcept>
#include <utility>
#include <vector>

namespace rank {

#define RANK_THROW_IF(expr)                                              \
  if (cudaError_t status_ = (expr); status_ != cudaSuccess)              \
    throw std::runtime_error(cudaGetErrorString(status_))

template <class Key>
struct Entry {
  Key key;
  int index;
};

template <class Key>
class TopKFuture {
 public:
  explicit TopKFuture(int k) : k_(k) {
    RANK_THROW_IF(cudaMallocHost(&keys_, k * sizeof(Key)));
    RANK_THROW_IF(cudaMallocHost(&index_, k * sizeof(int)));
    RANK_THROW_IF(cudaEventCreateWithFlags(&done_, cudaEventDisableTiming));
  }
  TopKFuture(const TopKFuture&) = delete;
  ~TopKFuture() {
    cudaEventSynchronize(done_);
    cudaEventDestroy(done_);
    cudaFreeHost(index_);
    cudaFreeHost(keys_);
  }

  bool ready() const { return cudaEventQuery(done_) == cudaSuccess; }

  std::vector<Entry<Key>> get() const {
    std::vector<Entry<Key>> out;
    out.reserve(k_);
    for (int i = 0; i < k_; ++i) out.push_back({keys_[i], index_[i]});
    return out;
  }

  void fetch(const Key* keys, const int* index, cudaStream_t s) {
    RANK_THROW_IF(cudaMemcpyAsync(keys_, keys, k_ * sizeof(Key), cudaMemcpyDeviceToHost, s));
    RANK_THROW_IF(cudaMemcpyAsync(index_, index, k_ * sizeof(int), cudaMemcpyDeviceToHost, s));
    RANK_THROW_IF(cudaEventRecord(done_, s));
  }

 private:
  int k_;
  Key* keys_ = nullptr;
  int* index_ = nullptr;
  cudaEvent_t done_{};
};

// Returned futures refer to pinned memory of their own; the input is not modified.
template <class Key, class Compare = thrust::greater<Key>>
std::shared_ptr<TopKFuture<Key>> top_k_async(const Key* in, int n, int k, cudaStream_t s, Compare cmp = {}) {
  auto fut = std::make_shared<TopKFuture<Key>>(k < n ? k : n);
  Key* keys = nullptr;
  int* index = nullptr;
  RANK_THROW_IF(cudaMallocAsync(reinterpret_cast<void**>(&keys), n * sizeof(Key), s));
  RANK_THROW_IF(cudaMallocAsync(reinterpret_cast<void**>(&index), n * sizeof(int), s));
  RANK_THROW_IF(cudaMemcpyAsync(keys, in, n * sizeof(Key), cudaMemcpyDeviceToDevice, s));
  auto policy = thrust::cuda::par_nosync.on(s);
  auto k0 = thrust::device_pointer_cast(keys);
  auto i0 = thrust::device_pointer_cast(index);
  thrust::sequence(policy, i0, i0 + n);
  thrust::stable_sort_by_key(policy, k0, k0 + n, i0, cmp);
  fut->fetch(keys, index, s);
  RANK_THROW_IF(cudaFreeAsync(index, s));
  RANK_THROW_IF(cudaFreeAsync(keys, s));
  return fut;
}

}  // namespace rank

__global__ void scores(float* x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) x[i] = float((i * 7919LL) % n);
}

int main() {
  const int n = 1 << 22;
  cudaStream_t s;
  float* x;
  RANK_THROW_IF(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  RANK_THROW_IF(cudaMalloc(&x, n * sizeof(float)));
  scores<<<(n + 255) / 256, 256, 0, s>>>(x, n);
  {
    auto best = rank::top_k_async(x, n, 5, s);
    auto worst = rank::top_k_async(x, n, 3, s, thrust::less<float>{});
    for (const auto& e : best->get()) std::printf("best  %.0f @ %d\n", e.key, e.index);
    for (const auto& e : worst->get()) std::printf("worst %.0f @ %d\n", e.key, e.index);
  }
  cudaFree(x);
  cudaStreamDestroy(s);
  return 0;
}
