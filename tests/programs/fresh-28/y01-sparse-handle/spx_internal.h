#ifndef SPX_INTERNAL_H
#define SPX_INTERNAL_H

#include <cuda_runtime.h>
#include "spx.h"

struct spxContext {
    cudaStream_t stream;
    cudaError_t last;
};

struct spxCsr {
    int rows, cols, nnz;
    int *rowptr, *colind;
    float *val;
    cudaStream_t stream;
};

#define SPX_TRY(h, call)               \
    do {                               \
        cudaError_t e_ = (call);       \
        if (e_ != cudaSuccess) {       \
            (h)->last = e_;            \
            return SPX_CUDA;           \
        }                              \
    } while (0)

#endif
