#include "ensemble.h"
#include <cstring>

void *host_buffer(size_t bytes) {
  void *p = NULL;
#ifdef USE_PINNED_BUFFER
  GPU(cudaHostAlloc(&p, bytes, cudaHostAllocPortable));
#else
  p = malloc(bytes);
  if (!p) {
    printf("ERROR malloc\n");
    exit(1);
  }
#endif
  memset(p, 0, bytes);
  return p;
}

void host_release(void *p) {
#ifdef USE_PINNED_BUFFER
  GPU(cudaFreeHost(p));
#else
  free(p);
#endif
}
