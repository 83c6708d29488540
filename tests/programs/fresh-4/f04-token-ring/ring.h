/* Virtual-rank ring: every rank of the decomposition owns a stream, ranks
 * exchange tokens with stream memory operations on per-rank flag words. */
#ifndef RING_H
#define RING_H

#include <cuda.h>

#define RING_RANKS 4

typedef struct ring_rank {
    int id;
    CUstream stream;
    CUdeviceptr local;   /* n doubles */
} ring_rank;

typedef struct ring_comm {
    ring_rank rank[RING_RANKS];
    CUdeviceptr flags;   /* RING_RANKS words */
    CUdeviceptr token;   /* n doubles travelling round the ring */
    int n;
} ring_comm;

void ring_fail(CUresult r);
#define RING_CALL(x) do { CUresult r_ = (x); if (r_ != CUDA_SUCCESS) ring_fail(r_); } while (0)

void ring_init(ring_comm *rc, int n);
void ring_finalize(ring_comm *rc);
void ring_enqueue(ring_comm *rc, int rank, int rounds);

/* kernels */
void ring_launch_fill(CUstream s, CUdeviceptr dst, int n, int rank);
void ring_launch_mix(CUstream s, CUdeviceptr token, CUdeviceptr local, int n, double w);

#endif
