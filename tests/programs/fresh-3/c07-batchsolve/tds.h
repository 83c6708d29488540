/* tds: batched tridiagonal solves. Plain C interface. */
#pragma once
#include <cuda_runtime.h>

typedef struct tds_context* tds_handle;

typedef enum { TDS_OK = 0, TDS_BAD_ARGUMENT, TDS_NO_MEMORY, TDS_CUDA_ERROR } tds_status;

typedef struct {
  int systems; /* number of independent systems            */
  int rows;    /* unknowns per system                      */
  int lanes;   /* internal streams the batch is split over */
} tds_config;

/* Element i of system s is stored at [i * systems + s]. */
typedef struct {
  const float* lower;
  const float* diag;
  const float* upper;
  const float* rhs;
} tds_matrix;

tds_status tds_create(tds_handle* handle, const tds_config* config);
tds_status tds_set_stream(tds_handle handle, cudaStream_t stream);
/* Solves all systems; ordered with respect to the handle's stream, does not block the host. */
tds_status tds_solve(tds_handle handle, const tds_matrix* m, float* x);
tds_status tds_destroy(tds_handle handle);
/* Last CUDA error seen by the handle. */
cudaError_t tds_cuda_error(tds_handle handle);
