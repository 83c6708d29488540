#ifndef CONVEYOR_CUH
#define CONVEYOR_CUH

#include <cuda_runtime.h>

/* A belt of kDepth trays between two thread blocks of different grids. */

enum { kDepth = 4, kWidth = 128 };

typedef struct {
    unsigned long long key;
    unsigned int position;
    unsigned int weight;
} seed_t;

typedef struct {
    unsigned int loaded;    /* trays put on the belt   */
    unsigned int pad0[31];
    unsigned int emptied;   /* trays taken off the belt */
    unsigned int pad1[31];
    unsigned int threshold; /* weight below which seeds are not worth sending */
    unsigned int pad2[31];
    seed_t tray[kDepth][kWidth];
} belt_t;

__device__ static inline unsigned int belt_peek(const unsigned int *p)
{
    return *(const volatile unsigned int *)p;
}

__device__ static inline void belt_poke(unsigned int *p, unsigned int v)
{
    *(volatile unsigned int *)p = v;
}

/* All threads of the block call these. */

__device__ static inline seed_t *belt_acquire_empty(belt_t *b, unsigned int k)
{
    if (threadIdx.x == 0) {
        while (k - belt_peek(&b->emptied) >= kDepth) {
        }
        __threadfence();
    }
    __syncthreads();
    return b->tray[k % kDepth];
}

__device__ static inline void belt_release_loaded(belt_t *b, unsigned int k)
{
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        belt_poke(&b->loaded, k + 1);
    }
}

__device__ static inline const seed_t *belt_acquire_loaded(belt_t *b, unsigned int k)
{
    if (threadIdx.x == 0) {
        while (belt_peek(&b->loaded) <= k) {
        }
        __threadfence();
    }
    __syncthreads();
    return b->tray[k % kDepth];
}

__device__ static inline void belt_release_emptied(belt_t *b, unsigned int k)
{
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        belt_poke(&b->emptied, k + 1);
    }
}

#endif
