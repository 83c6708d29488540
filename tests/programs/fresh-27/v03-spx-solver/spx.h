/* spx: iterative solvers for sparse systems in CSR form. */
#ifndef SPX_H
#define SPX_H

#include <cuda_runtime.h>

typedef struct spxContext* spxHandle_t;

typedef enum {
    SPX_STATUS_SUCCESS = 0,
    SPX_STATUS_INVALID_VALUE,
    SPX_STATUS_NOT_READY,
    SPX_STATUS_ALLOC_FAILED,
    SPX_STATUS_EXECUTION_FAILED
} spxStatus_t;

typedef enum { SPX_PRECOND_NONE = 0, SPX_PRECOND_JACOBI } spxPrecondType_t;

/* Device pointers; values are single precision, indices zero based. */
typedef struct {
    int n;
    const int* rowPtr;
    const int* colInd;
    const float* values;
} spxCsr_t;

spxStatus_t spxCreate(spxHandle_t* handle);
spxStatus_t spxDestroy(spxHandle_t handle);

/* All later work of the handle is ordered in this stream. */
spxStatus_t spxSetStream(spxHandle_t handle, cudaStream_t stream);
spxStatus_t spxGetStream(spxHandle_t handle, cudaStream_t* stream);

/* Analyses the matrix and builds the preconditioner. Blocks until it is built. */
spxStatus_t spxPrecondSetup(spxHandle_t handle, spxPrecondType_t type, const spxCsr_t* a);

/* Runs `iterations` steps of preconditioned Richardson on a x = b, from the x that
   is given. Asynchronous: x is final when the stream of the handle gets there. */
spxStatus_t spxRichardson(spxHandle_t handle, const spxCsr_t* a, const float* b, float* x,
                          float omega, int iterations);

const char* spxGetErrorString(spxStatus_t status);

#endif
