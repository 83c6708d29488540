// Stream compaction built on cub::DeviceScan, predicate given as a functor.
#include <cub/cub.cuh>
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CUDA_OK(call) ::compact::detail::verify((call), #call, __LINE__)

namespace compact {
namespace detail {

inline void verify(cudaError_t e, const char* what, int line) {
  if (e == cudaSuccess) return;
  std::fprintf(stderr, "line %d: %s -> %s\n", line, what, cudaGetErrorName(e));
  std::abort();
}

template <class T, class Pred>
__global__ void mark(const T* in, int n, Pred pred, int* flags) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) flags[i] = pred(in[i]) ? 1 : 0;
}

template <class T>
__global__ void scatter(const T* in, int n, const int* flags, const int* offs, T* out, int* total) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  if (flags[i]) out[offs[i]] = in[i];
  if (i == n - 1) *total = offs[i] + flags[i];
}

}  // namespace detail

template <class T>
class Compactor {
 public:
  explicit Compactor(int capacity) : capacity_(capacity) {
    CUDA_OK(cudaMalloc(&flags_, capacity * sizeof(int)));
    CUDA_OK(cudaMalloc(&offsets_, capacity * sizeof(int)));
    CUDA_OK(cub::DeviceScan::ExclusiveSum(nullptr, temp_bytes_, flags_, offsets_, capacity));
    CUDA_OK(cudaMalloc(&temp_, temp_bytes_));
  }
  Compactor(const Compactor&) = delete;
  Compactor& operator=(const Compactor&) = delete;
  ~Compactor() {
    cudaFree(temp_);
    cudaFree(offsets_);
    cudaFree(flags_);
  }

  // out must have room for n elements; *total (device) receives the count.
  template <class Pred>
  void run(const T* in, int n, Pred pred, T* out, int* total, cudaStream_t stream) {
    if (n > capacity_) std::abort();
    if (n == 0) {
      CUDA_OK(cudaMemsetAsync(total, 0, sizeof(int), stream));
      return;
    }
    const int block = 256;
    const int grid = (n + block - 1) / block;
    size_t bytes = temp_bytes_;
    detail::mark<<<grid, block, 0, stream>>>(in, n, pred, flags_);
    CUDA_OK(cudaGetLastError());
    CUDA_OK(cub::DeviceScan::ExclusiveSum(temp_, bytes, flags_, offsets_, n, stream));
    detail::scatter<<<grid, block, 0, stream>>>(in, n, flags_, offsets_, out, total);
    CUDA_OK(cudaGetLastError());
  }

 private:
  int capacity_;
  int* flags_ = nullptr;
  int* offsets_ = nullptr;
  void* temp_ = nullptr;
  size_t temp_bytes_ = 0;
};

}  // namespace compact

struct DivisibleBy {
  int d;
  __host__ __device__ bool operator()(int v) const { return v % d == 0; }
};

int main() {
  const int n = 1 << 20;
  std::vector<int> host(n);
  for (int i = 0; i < n; ++i) host[i] = i;
  cudaStream_t s;
  int *in, *out, *total, count = 0;
  CUDA_OK(cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking));
  CUDA_OK(cudaMalloc(&in, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&out, n * sizeof(int)));
  CUDA_OK(cudaMalloc(&total, sizeof(int)));
  CUDA_OK(cudaMemcpyAsync(in, host.data(), n * sizeof(int), cudaMemcpyHostToDevice, s));
  compact::Compactor<int> c(n);
  for (int d = 2; d < 6; ++d) {
    c.run(in, n, DivisibleBy{d}, out, total, s);
    CUDA_OK(cudaMemcpyAsync(&count, total, sizeof count, cudaMemcpyDeviceToHost, s));
    CUDA_OK(cudaStreamSynchronize(s));
    std::printf("divisible by %d: %d\n", d, count);
  }
  cudaFree(in); cudaFree(out); cudaFree(total);
  CUDA_OK(cudaStreamDestroy(s));
  return 0;
}
