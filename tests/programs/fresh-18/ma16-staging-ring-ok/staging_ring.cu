/* Pinned staging ring with a C interface: callers hand over pageable memory,
 * the ring copies it into a page-locked slot and uploads it asynchronously.
 * The source may be modified as soon as sr_upload() returns. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern "C" {

typedef enum { SR_OK = 0, SR_NOMEM = 1, SR_CUDA = 2, SR_INVALID = 3 } sr_status;

typedef struct {
  void *host;
  cudaEvent_t idle;
} sr_slot;

typedef struct sr_ring {
  sr_slot *slots;
  unsigned count;
  unsigned head;
  size_t slot_bytes;
} sr_ring;

#define SR_TRY(x)                      \
  do {                                 \
    if ((x) != cudaSuccess) return SR_CUDA; \
  } while (0)

sr_status sr_destroy(sr_ring *r) {
  if (!r) return SR_OK;
  for (unsigned i = 0; i < r->count; ++i) {
    if (r->slots[i].idle) {
      cudaEventSynchronize(r->slots[i].idle);
      cudaEventDestroy(r->slots[i].idle);
    }
    if (r->slots[i].host) cudaFreeHost(r->slots[i].host);
  }
  free(r->slots);
  free(r);
  return SR_OK;
}

sr_status sr_create(sr_ring **out, unsigned count, size_t slot_bytes) {
  if (!out || !count || !slot_bytes) return SR_INVALID;
  sr_ring *r = (sr_ring *)calloc(1, sizeof *r);
  if (!r) return SR_NOMEM;
  r->slots = (sr_slot *)calloc(count, sizeof(sr_slot));
  if (!r->slots) {
    free(r);
    return SR_NOMEM;
  }
  r->count = count;
  r->slot_bytes = slot_bytes;
  for (unsigned i = 0; i < count; ++i) {
    if (cudaHostAlloc(&r->slots[i].host, slot_bytes, cudaHostAllocDefault) != cudaSuccess ||
        cudaEventCreateWithFlags(&r->slots[i].idle, cudaEventDisableTiming) != cudaSuccess) {
      sr_destroy(r);
      return SR_CUDA;
    }
  }
  *out = r;
  return SR_OK;
}

sr_status sr_upload(sr_ring *r, void *dst, const void *src, size_t bytes, cudaStream_t stream) {
  const char *from = (const char *)src;
  char *to = (char *)dst;
  while (bytes) {
    size_t chunk = bytes < r->slot_bytes ? bytes : r->slot_bytes;
    sr_slot *slot = &r->slots[r->head];
    r->head = (r->head + 1) % r->count;
    SR_TRY(cudaEventSynchronize(slot->idle));
    memcpy(slot->host, from, chunk);
    SR_TRY(cudaMemcpyAsync(to, slot->host, chunk, cudaMemcpyHostToDevice, stream));
    SR_TRY(cudaEventRecord(slot->idle, stream));
    from += chunk;
    to += chunk;
    bytes -= chunk;
  }
  return SR_OK;
}

} /* extern "C" */

__global__ void count_mismatch(const int *p, int n, int base, int *bad) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (p[i] != base + i) atomicAdd(bad, 1);
}

int main(void) {
  const int n = 1 << 22;
  cudaStream_t s;
  int *dev, *bad, h = -1;
  sr_ring *ring;
  int *src = (int *)malloc(n * sizeof(int));
  if (cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking) != cudaSuccess) return 1;
  if (cudaMalloc(&dev, n * sizeof(int)) != cudaSuccess) return 1;
  if (cudaMalloc(&bad, sizeof(int)) != cudaSuccess) return 1;
  cudaMemsetAsync(bad, 0, sizeof(int), s);
  if (sr_create(&ring, 2, 1 << 20) != SR_OK) return 1;
  for (int round = 0; round < 8; ++round) {
    for (int i = 0; i < n; ++i) src[i] = round * 17 + i;
    if (sr_upload(ring, dev, src, n * sizeof(int), s) != SR_OK) return 1;
    count_mismatch<<<128, 256, 0, s>>>(dev, n, round * 17, bad);
  }
  cudaMemcpyAsync(&h, bad, sizeof h, cudaMemcpyDeviceToHost, s);
  cudaStreamSynchronize(s);
  printf("mismatches: %d\n", h);
  sr_destroy(ring);
  cudaFree(dev);
  cudaFree(bad);
  cudaStreamDestroy(s);
  free(src);
  return h != 0;
}
