#pragma once
#include <cuda.h>

#include <cstdio>
#include <cstdlib>

#define DRV(call)                                                   \
    do {                                                            \
        CUresult drv_rc = (call);                                   \
        if (drv_rc != CUDA_SUCCESS) {                               \
            const char* drv_name = "unknown";                       \
            cuGetErrorName(drv_rc, &drv_name);                      \
            std::printf("ERROR %s\n", drv_name);                    \
            std::exit(1);                                           \
        }                                                           \
    } while (0)
