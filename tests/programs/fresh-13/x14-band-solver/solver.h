#ifndef BAND_SOLVER_H
#define BAND_SOLVER_H
/* band - batched Jacobi sweeps on tridiagonal systems, handle interface. */
#include <cuda_runtime_api.h>

typedef struct bandHandle_st* bandHandle_t;

typedef enum {
  BAND_STATUS_SUCCESS = 0,
  BAND_STATUS_BAD_ARGUMENT,
  BAND_STATUS_CUDA_ERROR
} bandStatus_t;

bandStatus_t bandCreate(bandHandle_t* handle, int max_rows);
bandStatus_t bandDestroy(bandHandle_t handle);
bandStatus_t bandSetStream(bandHandle_t handle, cudaStream_t stream);
bandStatus_t bandSetSweepTime(bandHandle_t handle, unsigned long long ns);

/* x := sweeps of Jacobi for (-1, 4, -1) x = rhs from x = 0; rhs and x live on the device. */
bandStatus_t bandSolve(bandHandle_t handle, const float* rhs, float* x, int rows, int sweeps);

cudaError_t bandLastError(bandHandle_t handle);

#endif
