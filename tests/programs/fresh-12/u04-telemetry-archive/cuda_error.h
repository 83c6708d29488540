#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void orThrow(cudaError_t e)
{
    if (e != cudaSuccess) throw CudaError(e);
}
