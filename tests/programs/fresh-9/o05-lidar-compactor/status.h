#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace lidar {
inline void require(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}
}  // namespace lidar
