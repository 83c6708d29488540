#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define STRATA_OK(expr)                                        \
    do {                                                       \
        cudaError_t e_ = (expr);                               \
        if (e_ != cudaSuccess) {                               \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));   \
            std::exit(1);                                      \
        }                                                      \
    } while (0)
