#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CU_OK(call)                                          \
    do {                                                     \
        cudaError_t e_ = (call);                             \
        if (e_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(e_)); \
            std::fflush(stdout);                             \
            std::_Exit(2);                                   \
        }                                                    \
    } while (0)
struct LinkConfig {
    int symbolsPerFrame = 4080;  // 16 outer code words of 255 symbols
    unsigned ringSlots = 4;
    unsigned frames = 24;
    unsigned outerCodeFrom = 8;  // the spacecraft switches its outer coder on here
};

// Signal simulator: one received symbol.
__host__ __device__ inline unsigned char symbolAt(unsigned frame, unsigned i)
{
    unsigned x = frame * 2654435761u + i * 40503u + 17u;
    x ^= x >> 13;
    x *= 0x5bd1e995u;
    return static_cast<unsigned char>(x ^ (x >> 15));
}
