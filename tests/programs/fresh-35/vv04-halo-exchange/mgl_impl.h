#ifndef MGL_IMPL_H
#define MGL_IMPL_H
#include "mgl.h"

struct MglField_s {
  int parts, n;
  unsigned *cells; /* parts * (n + 2) */
};

struct MglHalo_s {
  int parts;
  unsigned *buffer; /* left and right edge of each part */
  cudaStream_t link;
  cudaEvent_t stage;
};

struct MglMonitor_s {
  int capacity, count;
  unsigned *device_sums, *host_sums;
  cudaEvent_t summed;
};

#endif
