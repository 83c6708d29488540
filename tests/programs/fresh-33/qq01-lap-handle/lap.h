#ifndef LAP_H
#define LAP_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Opaque library context. One context serves one host thread at a time. */
typedef struct lapContext *lapHandle_t;

typedef enum {
  LAP_STATUS_SUCCESS = 0,
  LAP_STATUS_NOT_INITIALIZED = 1,
  LAP_STATUS_ALLOC_FAILED = 2,
  LAP_STATUS_INVALID_VALUE = 3,
  LAP_STATUS_EXECUTION_FAILED = 4
} lapStatus_t;

lapStatus_t lapCreate(lapHandle_t *handle);
lapStatus_t lapDestroy(lapHandle_t handle);

/* All following calls are enqueued in `stream`. */
lapStatus_t lapSetStream(lapHandle_t handle, cudaStream_t stream);
lapStatus_t lapGetStream(lapHandle_t handle, cudaStream_t *stream);

/* Level-1 routines; the result is written to device memory. */
lapStatus_t lapDdot(lapHandle_t handle, size_t n, const double *x, const double *y, double *result);
lapStatus_t lapDasum(lapHandle_t handle, size_t n, const double *x, double *result);
lapStatus_t lapDamax(lapHandle_t handle, size_t n, const double *x, double *result);

const char *lapGetStatusString(lapStatus_t status);

#ifdef __cplusplus
}
#endif
#endif
