#pragma once

#include <cuda_runtime_api.h>

#include <stdexcept>
#include <string>

namespace tessera {

struct CudaError : std::runtime_error {
  CudaError(cudaError_t err, const char* func, int line)
      : std::runtime_error(std::string(func) + ":" + std::to_string(line) + " " + cudaGetErrorString(err)), code(err) {}
  cudaError_t code;
};

}  // namespace tessera

#define TESSERA_CUDA_CHECK(EXPR) \
  do { \
    const cudaError_t __err = (EXPR); \
    if (__err != cudaSuccess) { \
      (void)cudaGetLastError(); \
      throw tessera::CudaError(__err, __func__, __LINE__); \
    } \
  } while (0)
