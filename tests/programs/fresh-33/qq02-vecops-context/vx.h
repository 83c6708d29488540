#ifndef VX_H
#define VX_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque library context. One context serves one host thread at a time. */
typedef struct vxContext *vxHandle_t;

typedef enum {
  VX_STATUS_SUCCESS = 0,
  VX_STATUS_NOT_INITIALIZED = 1,
  VX_STATUS_ALLOC_FAILED = 2,
  VX_STATUS_INVALID_VALUE = 3,
  VX_STATUS_EXECUTION_FAILED = 4
} vxStatus_t;

vxStatus_t vxCreate(vxHandle_t *handle);
vxStatus_t vxDestroy(vxHandle_t handle);

/* All following calls are enqueued in `stream`. */
vxStatus_t vxSetStream(vxHandle_t handle, cudaStream_t stream);
vxStatus_t vxGetStream(vxHandle_t handle, cudaStream_t *stream);

/* Level-1 routines; the result is written to device memory. */
vxStatus_t vxDdot(vxHandle_t handle, size_t n, const double *x, const double *y, double *result);
vxStatus_t vxDasum(vxHandle_t handle, size_t n, const double *x, double *result);
vxStatus_t vxDamax(vxHandle_t handle, size_t n, const double *x, double *result);

const char *vxGetStatusString(vxStatus_t status);

#ifdef __cplusplus
}
#endif
#endif
