#pragma once

#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

[[noreturn]] inline void stop(const char* name) {
  std::printf("ERROR %s\n", name);
  std::exit(1);
}

inline void check(cudaError_t status) {
  if (status != cudaSuccess) stop(cudaGetErrorName(status));
}

inline void check(CUresult status) {
  if (status == CUDA_SUCCESS) return;
  const char* name = "CUDA_ERROR_UNKNOWN";
  cuGetErrorName(status, &name);
  stop(name);
}

// A kernel of this executable, to be launched through the driver API.
class Kernel {
 public:
  template <class Symbol>
  explicit Kernel(Symbol* symbol) {
    cudaFunction_t function = nullptr;
    check(cudaGetFuncBySymbol(&function, reinterpret_cast<const void*>(symbol)));
    function_ = reinterpret_cast<CUfunction>(function);
  }

  template <class... Args>
  void operator()(unsigned grid, unsigned block, CUstream stream, Args... args) const {
    void* list[] = {&args...};
    check(cuLaunchKernel(function_, grid, 1, 1, block, 1, 1, 0, stream, list, nullptr));
  }

 private:
  CUfunction function_ = nullptr;
};
