#ifndef ENSEMBLE_H
#define ENSEMBLE_H
#include "config.h"
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define GPU(x)                                                      \
  do {                                                              \
    cudaError_t gpu_rc = (x);                                       \
    if (gpu_rc != cudaSuccess) {                                    \
      printf("ERROR %s\n", cudaGetErrorName(gpu_rc));               \
      fflush(stdout);                                               \
      _Exit(1);                                                     \
    }                                                               \
  } while (0)

typedef struct {
  real *d_temp;
  real *d_flux;
  real *h_in;
  real *h_out;
  cudaStream_t stream;
  cudaEvent_t done;
} member_t;

typedef void (*physics_fn)(member_t *m, int us);

void *host_buffer(size_t bytes);
void host_release(void *p);
void physics_radiation(member_t *m, int us);
void physics_convection(member_t *m, int us);

#endif
