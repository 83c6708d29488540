/* spx: a small sparse matrix library with a handle interface.
 *
 * A handle carries the stream of the caller.  Every spxMv, spxMvT and spxDot
 * is enqueued in the stream most recently given to spxSetStream and returns
 * at once; to the caller a call behaves like one kernel in that stream.
 * spxSetStream may be called at any time, also between two calls that use the
 * same matrix.  A fresh handle uses the default stream.
 */
#ifndef SPX_H
#define SPX_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spxContext *spxHandle_t;
typedef struct spxCsr *spxMat_t;

typedef enum { SPX_OK = 0, SPX_BAD_ARGUMENT, SPX_NO_MEMORY, SPX_CUDA } spxStatus_t;

spxStatus_t spxCreate(spxHandle_t *handle);
spxStatus_t spxDestroy(spxHandle_t handle);
spxStatus_t spxSetStream(spxHandle_t handle, cudaStream_t stream);
cudaError_t spxLastCudaError(spxHandle_t handle);

/* Copies a CSR matrix to the device; the host arrays may go when it returns. */
spxStatus_t spxCreateCsr(spxHandle_t handle, int rows, int cols, int nnz, const int *rowptr,
                         const int *colind, const float *val, spxMat_t *mat);
spxStatus_t spxDestroyCsr(spxMat_t mat);

/* y = A x, with x of cols and y of rows elements on the device */
spxStatus_t spxMv(spxHandle_t handle, spxMat_t mat, const float *x, float *y);
/* y = A' x, with x of rows and y of cols elements on the device */
spxStatus_t spxMvT(spxHandle_t handle, spxMat_t mat, const float *x, float *y);
/* *result = x . y, result on the device */
spxStatus_t spxDot(spxHandle_t handle, int n, const float *x, const float *y, float *result);

#ifdef __cplusplus
}
#endif
#endif
