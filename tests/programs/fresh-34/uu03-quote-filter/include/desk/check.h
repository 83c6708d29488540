#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace desk {

inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

}  // namespace desk
