#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define FS_CHECK(expr) ::fstore::ensure(expr)

namespace fstore {
inline void ensure(cudaError_t rc) {
    if (rc == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(rc));
    std::fflush(stdout);
    std::_Exit(1);
}
}  // namespace fstore
