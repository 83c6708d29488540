#pragma once
// Execution context: device ordinal and the stream on which an updater works.
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <memory>

namespace gbt {

inline void Check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::printf("ERROR %s\n", cudaGetErrorName(status));
  std::fflush(stdout);
  std::_Exit(1);
}

class CudaStream {
 public:
  CudaStream() { Check(cudaStreamCreateWithFlags(&handle_, cudaStreamNonBlocking)); }
  ~CudaStream() { Check(cudaStreamDestroy(handle_)); }
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;
  cudaStream_t Handle() const { return handle_; }
  void Sync() const { Check(cudaStreamSynchronize(handle_)); }

 private:
  cudaStream_t handle_ = nullptr;
};

inline cudaStream_t DefaultStream() { return cudaStreamPerThread; }

struct CUDAContext {
  CudaStream updater;
  cudaStream_t Stream() const { return updater.Handle(); }
};

class Context {
 public:
  int Ordinal() const { return ordinal_; }
  const CUDAContext* CUDACtx() const {
    if (!cuda_) {
      Check(cudaSetDevice(ordinal_));
      cuda_ = std::make_shared<CUDAContext>();
    }
    return cuda_.get();
  }

 private:
  int ordinal_ = 0;
  mutable std::shared_ptr<CUDAContext> cuda_;
};

}  // namespace gbt
