#pragma once
#include <cuda_runtime.h>

#include <stdexcept>

namespace colforge {

struct cuda_error : std::runtime_error {
  explicit cuda_error(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void check(cudaError_t status)
{
  if (status != cudaSuccess) { throw cuda_error(status); }
}

}  // namespace colforge

#define COLFORGE_CUDA_TRY(call) ::colforge::check((call))
