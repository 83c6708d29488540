#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace ao {

inline void require(cudaError_t code) {
    if (code == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(code));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace ao
