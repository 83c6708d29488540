#pragma once
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

#define GPU_CHECK(expr) platform::check((expr))

namespace platform {
inline void check(cudaError_t e) {
    if (e == cudaSuccess) return;
    static char buffer[128];
    std::snprintf(buffer, sizeof buffer, "ERROR %s", cudaGetErrorName(e));
    std::puts(buffer);
    std::fflush(stdout);
    std::_Exit(1);
}
}  // namespace platform
