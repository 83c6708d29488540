#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CU(call)                                                  \
    do {                                                          \
        cudaError_t status_ = (call);                             \
        if (status_ != cudaSuccess) {                             \
            std::printf("ERROR %s\n", cudaGetErrorName(status_)); \
            std::exit(1);                                         \
        }                                                         \
    } while (0)
