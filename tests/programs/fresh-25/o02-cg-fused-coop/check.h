#ifndef CG_CHECK_H
#define CG_CHECK_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CK(call)                                             \
    do {                                                     \
        cudaError_t ck_rc = (call);                          \
        if (ck_rc != cudaSuccess) {                          \
            printf("ERROR %s\n", cudaGetErrorName(ck_rc));   \
            exit(1);                                         \
        }                                                    \
    } while (0)

#endif
