#ifndef SPX_INTERNAL_H
#define SPX_INTERNAL_H

#include "spx.h"

#define SPX_LANES 3

struct spx_handle_st {
    cudaStream_t stream;
    cudaStream_t lane[SPX_LANES];
    cudaEvent_t fork;
    cudaEvent_t join[SPX_LANES];
};

/* Lane i has the rows from cut[i] up to cut[i + 1]; the cuts even out the entries. */
struct spx_csr_st {
    int rows, cols, nnz;
    int cut[SPX_LANES + 1];
    int *row_ptr;
    int *col_idx;
    double *values;
};

#define SPX_TRY(call)                                        \
    do {                                                     \
        if ((call) != cudaSuccess) return SPX_CUDA_FAILED;   \
    } while (0)

#endif
