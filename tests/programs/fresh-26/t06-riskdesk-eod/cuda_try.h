#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace risk {
inline void cudaTry(cudaError_t rc) {
    if (rc != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(rc));
        std::fflush(stdout);
        std::_Exit(1);
    }
}
}  // namespace risk
