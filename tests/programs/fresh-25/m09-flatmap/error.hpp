#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace flatmap {

struct cuda_exception : std::runtime_error {
  explicit cuda_exception(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

}  // namespace flatmap

#define FLATMAP_CUDA_TRY(call)                                      \
  do {                                                              \
    cudaError_t const status_ = (call);                             \
    if (status_ != cudaSuccess) { throw ::flatmap::cuda_exception(status_); } \
  } while (0)
