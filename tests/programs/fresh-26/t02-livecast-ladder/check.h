#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define LC_CALL(expr)                                              \
    do {                                                           \
        const cudaError_t lc_rc = (expr);                          \
        if (lc_rc != cudaSuccess) {                                \
            std::printf("ERROR %s\n", cudaGetErrorName(lc_rc));    \
            std::fflush(stdout);                                   \
            std::_Exit(1);                                         \
        }                                                          \
    } while (0)
