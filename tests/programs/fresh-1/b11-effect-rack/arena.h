#ifndef RACK_ARENA_H
#define RACK_ARENA_H
/* Bump allocator over one page-locked block. */

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
    unsigned char *base;
    size_t size;
    size_t used;
} arena;

typedef size_t arena_mark;

#define RK(call)                                            \
    do {                                                    \
        cudaError_t rk_rc = (call);                         \
        if (rk_rc != cudaSuccess) {                         \
            printf("ERROR %s\n", cudaGetErrorName(rk_rc));  \
            exit(1);                                        \
        }                                                   \
    } while (0)

static inline void arena_open(arena *a, size_t size)
{
    RK(cudaHostAlloc((void **)&a->base, size, cudaHostAllocDefault));
    a->size = size;
    a->used = 0;
}

static inline void *arena_take(arena *a, size_t bytes)
{
    size_t need = (bytes + 255) & ~(size_t)255;
    if (a->used + need > a->size) {
        printf("ERROR arena\n");
        exit(1);
    }
    void *p = a->base + a->used;
    a->used += need;
    return p;
}

static inline arena_mark arena_save(const arena *a) { return a->used; }
static inline void arena_restore(arena *a, arena_mark m) { a->used = m; }

static inline void arena_close(arena *a)
{
    RK(cudaFreeHost(a->base));
    a->base = NULL;
    a->size = a->used = 0;
}

#endif
