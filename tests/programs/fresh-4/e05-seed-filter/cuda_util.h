#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace seq {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void ok(cudaError_t code)
{
    if (code != cudaSuccess) throw CudaError(code);
}

}  // namespace seq
