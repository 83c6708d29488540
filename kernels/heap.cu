// Kernels of `cudalint probe` that print and allocate on the device: a module with them initialises more at its first launch.

#ifndef __CUDACC_RTC__
#include <cstdio>
#endif

extern "C" __global__ void print(volatile unsigned *flag, unsigned *out) { printf("%u\n", out[0]); }

extern "C" __global__ void allocate(volatile unsigned *flag, unsigned *out) {
  void *memory = malloc(64);
  out[0] = memory != nullptr;
  free(memory);
}
