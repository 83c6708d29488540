#ifndef PIC_H
#define PIC_H
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define CHK(x)                                                  \
  do {                                                          \
    cudaError_t c_ = (x);                                       \
    if (c_ != cudaSuccess) {                                    \
      printf("ERROR %s\n", cudaGetErrorName(c_));               \
      fflush(stdout);                                           \
      _Exit(1);                                                 \
    }                                                           \
  } while (0)

#define NPART (1 << 18)
#define NGRID 1024
#define NSLOT 3

enum { S_PUSH = 0, S_FIELD = 1, NSTREAM };

struct Knobs {
  int step;
  int kick;
};

struct Opts {
  int nsteps = 24;
  int push_us = 2000;
  int deposit_us = 5000;
};

void launch_push(const int *in, int *out, const Knobs *k, int us, cudaStream_t s);
void launch_deposit(const int *pos, unsigned *rho, int us, cudaStream_t s);

#endif
