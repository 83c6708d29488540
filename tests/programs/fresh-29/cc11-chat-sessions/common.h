#pragma once
#include <cstdio>
#include <cstdlib>

#include <cuda.h>
#include <cuda_runtime.h>

namespace chat {

[[noreturn]] inline void leave(const char *name)
{
    std::printf("ERROR %s\n", name);
    std::fflush(stdout);
    std::quick_exit(1);
}

inline void check(cudaError_t e)
{
    if (e != cudaSuccess) leave(cudaGetErrorName(e));
}

inline void check(CUresult e)
{
    if (e == CUDA_SUCCESS) return;
    const char *name = "CUDA_ERROR_UNKNOWN";
    cuGetErrorName(e, &name);
    leave(name);
}

constexpr int kSessions = 4;
constexpr int kChunk = 128;
constexpr int kMaxTokens = 64 * kChunk;

} // namespace chat
