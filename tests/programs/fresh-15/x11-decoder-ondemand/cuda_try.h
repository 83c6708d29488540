#pragma once
#include <cuda_runtime.h>
#include <stdexcept>
#include <string>

struct GpuError : std::runtime_error {
    explicit GpuError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void gpu(cudaError_t e) {
    if (e != cudaSuccess) throw GpuError(e);
}
