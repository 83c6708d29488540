#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace relax {

struct failure : std::runtime_error {
  explicit failure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void ok(cudaError_t e)
{
  if (e != cudaSuccess) throw failure(e);
}

// Library context: a stream and a page-locked cell for scalars.
class handle {
 public:
  handle()
  {
    ok(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    ok(cudaMallocHost(&host_scalar_, sizeof(double)));
    ok(cudaMalloc(&device_scalar_, sizeof(double)));
  }
  ~handle()
  {
    cudaFree(device_scalar_);
    cudaFreeHost(host_scalar_);
    cudaStreamDestroy(stream_);
  }
  handle(const handle&) = delete;
  handle& operator=(const handle&) = delete;

  cudaStream_t stream() const { return stream_; }
  double* host_scalar() const { return host_scalar_; }
  double* device_scalar() const { return device_scalar_; }
  void sync() const { ok(cudaStreamSynchronize(stream_)); }

 private:
  cudaStream_t stream_ = nullptr;
  double* host_scalar_ = nullptr;
  double* device_scalar_ = nullptr;
};

}  // namespace relax
