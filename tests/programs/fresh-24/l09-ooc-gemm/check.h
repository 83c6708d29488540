#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace ooc {

[[noreturn]] inline void fail(const char* name)
{
    std::printf("ERROR %s\n", name);
    std::exit(1);
}

inline void check(cudaError_t rc)
{
    if (rc != cudaSuccess)
        fail(cudaGetErrorName(rc));
}

}  // namespace ooc
