#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include <map>
#include <mutex>
#include <stdexcept>
#include <unordered_map>
#include <utility>

namespace tx {
class Error : public std::runtime_error {
 public:
  explicit Error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

#define TX_CUDA_CHECK(EXPR)                    \
  do {                                         \
    const cudaError_t tx_err = (EXPR);         \
    if (tx_err != cudaSuccess) throw tx::Error(tx_err); \
  } while (0)
#define TX_KERNEL_LAUNCH_CHECK() TX_CUDA_CHECK(cudaGetLastError())

class CUDAStream {
 public:
  CUDAStream() = default;
  explicit CUDAStream(cudaStream_t s) : stream_(s) {}
  cudaStream_t stream() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  void synchronize() const { TX_CUDA_CHECK(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
};

// Per-thread current stream; the default stream until a guard changes it.
CUDAStream getCurrentCUDAStream();
void setCurrentCUDAStream(CUDAStream stream);
CUDAStream getStreamFromPool();

class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream s) : previous_(getCurrentCUDAStream()) { setCurrentCUDAStream(s); }
  ~CUDAStreamGuard() { setCurrentCUDAStream(previous_); }
  CUDAStreamGuard(const CUDAStreamGuard&) = delete;
  CUDAStreamGuard& operator=(const CUDAStreamGuard&) = delete;

 private:
  CUDAStream previous_;
};

// Keeps freed blocks in lists by stream and size, for tensors of that stream.
class CachingAllocator {
 public:
  static CachingAllocator& get();
  void* allocate(std::size_t bytes, cudaStream_t stream);
  void release(void* p);

 private:
  using Key = std::pair<cudaStream_t, std::size_t>;
  std::mutex mutex_;
  std::multimap<Key, void*> free_;
  std::unordered_map<void*, Key> used_;
};
}  // namespace tx
