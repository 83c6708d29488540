#ifndef SPX_H
#define SPX_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spx_handle_st *spx_handle_t;
typedef struct spx_csr_st *spx_csr_t;

typedef enum {
    SPX_SUCCESS = 0,
    SPX_INVALID_VALUE = 1,
    SPX_ALLOC_FAILED = 2,
    SPX_CUDA_FAILED = 3
} spx_status_t;

/*
 * A handle serves one thread at a time. Vector and matrix operations are enqueued on the stream of
 * the handle, in the order of the calls, and return without waiting for the device. The stream
 * starts as the default stream.
 */
spx_status_t spx_create(spx_handle_t *handle);
spx_status_t spx_destroy(spx_handle_t handle);
spx_status_t spx_set_stream(spx_handle_t handle, cudaStream_t stream);
spx_status_t spx_get_stream(spx_handle_t handle, cudaStream_t *stream);

/* Copies a matrix in CSR form, zero based, from the host; returns when the arrays may be reused. */
spx_status_t spx_csr_create(spx_handle_t handle, spx_csr_t *matrix, int rows, int cols, const int *row_ptr,
                            const int *col_idx, const double *values);
spx_status_t spx_csr_destroy(spx_csr_t matrix);

/* y = alpha * A * x + beta * y */
spx_status_t spx_spmv(spx_handle_t handle, double alpha, spx_csr_t matrix, const double *x, double beta, double *y);

/* y = alpha * x + y */
spx_status_t spx_axpy(spx_handle_t handle, int n, double alpha, const double *x, double *y);

/* *result = x . y, the result in device memory */
spx_status_t spx_dot(spx_handle_t handle, int n, const double *x, const double *y, double *result);

#ifdef __cplusplus
}
#endif

#endif
