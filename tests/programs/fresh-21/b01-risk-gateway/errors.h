#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define GW_CHECK(call)                                              \
    do {                                                            \
        const cudaError_t gw_status = (call);                       \
        if (gw_status != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(gw_status)); \
            std::fflush(stdout);                                    \
            std::_Exit(2);                                          \
        }                                                           \
    } while (0)
