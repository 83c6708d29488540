#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace desk {

struct CudaFailure : std::runtime_error {
    explicit CudaFailure(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void check(cudaError_t e) {
    if (e != cudaSuccess) throw CudaFailure(e);
}

}  // namespace desk
