#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define TRK_EXPECT(call)                                              \
    do {                                                              \
        const cudaError_t trk_rc = (call);                            \
        if (trk_rc != cudaSuccess) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(trk_rc));      \
            std::fflush(stdout);                                      \
            std::_Exit(1);                                            \
        }                                                             \
    } while (false)
