#pragma once
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define NRANK 4
#define BLOCK 256

#define TRY(x)                                                  \
  do {                                                          \
    cudaError_t t_ = (x);                                       \
    if (t_ != cudaSuccess) {                                    \
      printf("ERROR %s\n", cudaGetErrorName(t_));               \
      fflush(stdout);                                           \
      _Exit(1);                                                 \
    }                                                           \
  } while (0)

// Slab of one rank. buf[k][0] and buf[k][n+1] are ghost cells.
struct Slab {
  unsigned *buf[2];
  unsigned *barrier;
  unsigned *flag_left;
  unsigned *flag_right;
  int n;
};

struct RingArgs {
  Slab me, left, right;
  int nsteps;
};

struct RingOptions {
  int cells = 20000;
  int steps = 400;
  int max_blocks = 16;
};

__global__ void ring_rank(RingArgs a);
int ring_blocks(const RingOptions &o);
