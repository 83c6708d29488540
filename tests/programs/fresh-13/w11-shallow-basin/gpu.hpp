#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace gpu {

inline void require(cudaError_t e) {
  if (e == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(e));
  std::fflush(stdout);
  std::_Exit(1);
}

struct Free {
  void operator()(void* p) const { cudaFree(p); }
};
template <class T>
using Array = std::unique_ptr<T[], Free>;

template <class T>
Array<T> array(size_t n) {
  void* p = nullptr;
  require(cudaMalloc(&p, n * sizeof(T)));
  return Array<T>(static_cast<T*>(p));
}

class Lane {
 public:
  Lane() { require(cudaStreamCreateWithFlags(&s_, cudaStreamNonBlocking)); }
  ~Lane() { cudaStreamDestroy(s_); }
  Lane(const Lane&) = delete;
  Lane& operator=(const Lane&) = delete;
  cudaStream_t get() const { return s_; }
  void wait() const { require(cudaStreamSynchronize(s_)); }

 private:
  cudaStream_t s_ = nullptr;
};

}  // namespace gpu
