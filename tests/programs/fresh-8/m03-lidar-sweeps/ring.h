#ifndef LIDAR_RING_H
#define LIDAR_RING_H

#include <cuda.h>
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define DRV(x) do { CUresult r_ = (x); if (r_ != CUDA_SUCCESS) { const char *n_ = "?"; \
    cuGetErrorName(r_, &n_); printf("ERROR %s\n", n_); exit(1); } } while (0)
#define RT(x) do { cudaError_t r_ = (x); if (r_ != cudaSuccess) { \
    printf("ERROR %s\n", cudaGetErrorName(r_)); exit(1); } } while (0)

/* Device-resident frame ring.  Sequence numbers start at 1; every slot has two
 * 32-bit words: the last frame published into it and the last one retired. */
typedef struct {
    int depth;
    size_t frame_bytes;
    CUdeviceptr frames;
    CUdeviceptr published;
    CUdeviceptr retired;
} lidar_ring;

void ring_init(lidar_ring *r, int depth, size_t frame_bytes);
void ring_fini(lidar_ring *r);

static inline int ring_slot(const lidar_ring *r, unsigned seq) { return (int)((seq - 1) % (unsigned)r->depth); }

CUdeviceptr ring_open(const lidar_ring *r, unsigned seq, CUstream s);
void ring_publish(const lidar_ring *r, unsigned seq, CUstream s);
void ring_acquire(const lidar_ring *r, unsigned seq, CUstream s);
void ring_retire(const lidar_ring *r, unsigned seq, CUstream s);

#endif
