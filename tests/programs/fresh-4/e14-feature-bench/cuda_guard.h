#pragma once
#include <cuda_runtime.h>
#include <stdexcept>

namespace vis {

class GpuFault : public std::runtime_error {
public:
    explicit GpuFault(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};

inline void guard(cudaError_t e)
{
    if (e != cudaSuccess) throw GpuFault(e);
}

}  // namespace vis
