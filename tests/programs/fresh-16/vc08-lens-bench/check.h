#pragma once
#include <stdexcept>
#include <cuda_runtime.h>

namespace optics {

inline void check(cudaError_t rc) {
    if (rc != cudaSuccess) throw std::runtime_error(cudaGetErrorName(rc));
}

}  // namespace optics
