#pragma once
#include <cstdio>
#include <cstdlib>

#include <cuda_runtime.h>

// Prints the last line of the run and leaves at once.
inline void check(cudaError_t e)
{
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::quick_exit(1);
}
