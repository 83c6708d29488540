#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <stdexcept>

namespace segprims {

struct primitive_error : std::runtime_error {
  explicit primitive_error(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void try_cuda(cudaError_t e)
{
  if (e != cudaSuccess) throw primitive_error(e);
}

// Side stream and events of the primitives. One context serves one caller at a time.
class context {
 public:
  context();
  ~context();
  context(const context&) = delete;
  context& operator=(const context&) = delete;

  cudaStream_t side() const { return side_; }
  void fork(cudaStream_t main);
  void join(cudaStream_t main);

 private:
  cudaStream_t side_ = nullptr;
  cudaEvent_t forked_ = nullptr;
  cudaEvent_t joined_ = nullptr;
};

bool capturing(cudaStream_t stream);

// Scratch memory in the order of one stream.
class stream_scratch {
 public:
  stream_scratch(std::size_t bytes, cudaStream_t stream) : stream_(stream)
  {
    try_cuda(cudaMallocAsync(&p_, bytes, stream));
  }
  ~stream_scratch() { cudaFreeAsync(p_, stream_); }
  stream_scratch(const stream_scratch&) = delete;
  stream_scratch& operator=(const stream_scratch&) = delete;

  template <typename T>
  T* as() const { return static_cast<T*>(p_); }

 private:
  void* p_ = nullptr;
  cudaStream_t stream_;
};

}  // namespace segprims
