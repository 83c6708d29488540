#pragma once

#include <cuda_runtime.h>

#include <stdexcept>

namespace ingest {

// Carries the symbolic name of the failing call's status, e.g. "cudaErrorInvalidValue".
struct CudaFailure : std::runtime_error {
  explicit CudaFailure(cudaError_t status) : std::runtime_error(cudaGetErrorName(status)) {}
};

inline void check(cudaError_t status) {
  if (status != cudaSuccess) throw CudaFailure(status);
}

}  // namespace ingest
