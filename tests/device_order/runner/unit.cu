// One unit of the runner's kernels; compiled once for each number in UNIT.
#include "kernels.h"

#define JOIN_(a, b, c, d) a##_##b##_##c##d
#define JOIN(a, b, c, d) JOIN_(a, b, c, d)
#define NAME(kind, variant) JOIN(kind, UNIT, variant, )
#define PAUSE                          \
  long long start = clock64();         \
  while (clock64() - start < ticks) {  \
  }

#define KERNELS(variant)                                                                                            \
  __global__ void NAME(fill, variant)(int *data, int value, long long ticks) { PAUSE data[threadIdx.x] = value; }   \
  __global__ void NAME(keep, variant)(const int *data, int *kept) { if (threadIdx.x == 0) *kept = data[0]; }        \
  __global__ void NAME(copy, variant)(const int *from, int *to) { to[threadIdx.x] = from[threadIdx.x]; }            \
  __global__ void NAME(spin, variant)(volatile int *flag, int value) { while (*flag < value) {} }                   \
  __global__ void NAME(raise, variant)(volatile int *flag, int value) { *flag = value; }                            \
  __global__ void NAME(relay, variant)(volatile int *from, int value, volatile int *to) {                           \
    while (*from < value) {}                                                                                        \
    *to = value;                                                                                                    \
  }                                                                                                                 \
  __global__ void NAME(busy, variant)(long long ticks) { PAUSE }

KERNELS(0)
KERNELS(1)
KERNELS(2)
KERNELS(3)

#define ROW(kind)                                                                         \
  {(const void *)NAME(kind, 0), (const void *)NAME(kind, 1), (const void *)NAME(kind, 2), \
   (const void *)NAME(kind, 3)}

static UnitKernels table = {ROW(fill), ROW(keep), ROW(copy), ROW(spin), ROW(raise), ROW(relay), ROW(busy)};
static const bool registered = (unit_kernels[UNIT] = &table);
