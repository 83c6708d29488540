#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace telemetry {

inline void check(cudaError_t status) {
    if (status == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace telemetry
