#ifndef GRID_GATE_CUH
#define GRID_GATE_CUH

#include <cuda_runtime.h>

/* Barrier over all blocks of a launch; zeroed once, reusable ever after. */
typedef struct grid_gate {
  unsigned arrived;
  unsigned phase;
} grid_gate;

__device__ inline void gate_pass(grid_gate *g) {
  __syncthreads();
  if (threadIdx.x == 0) {
    volatile unsigned *phase = &g->phase;
    const unsigned mine = *phase;
    __threadfence();
    if (atomicAdd(&g->arrived, 1u) == gridDim.x - 1) {
      atomicExch(&g->arrived, 0u);
      __threadfence();
      atomicAdd(&g->phase, 1u);
    } else {
      while (*phase == mine) __nanosleep(40);
    }
    __threadfence();
  }
  __syncthreads();
}

#endif
