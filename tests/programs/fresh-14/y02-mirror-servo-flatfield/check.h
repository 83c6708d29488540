#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace ao {

inline void ok(cudaError_t status) {
    if (status != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}
}  // namespace ao
