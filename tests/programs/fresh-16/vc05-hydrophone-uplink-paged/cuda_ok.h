#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define HYDRO_OK(expr)                                              \
    do {                                                            \
        const cudaError_t hydro_rc_ = (expr);                       \
        if (hydro_rc_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(hydro_rc_)); \
            std::exit(1);                                           \
        }                                                           \
    } while (0)
