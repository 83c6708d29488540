#ifndef TILE_POOL_H
#define TILE_POOL_H
/* Per-lane block pool; descriptors are recycled through an intrusive list. */

#include <cuda.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct pool_block {
    CUdeviceptr mem;
    size_t bytes;
    struct pool_block *next;
} pool_block;

typedef struct {
    pool_block *idle;
    unsigned created;
} block_pool;

#define CU(call)                                \
    do {                                        \
        CUresult cu_rc = (call);                \
        if (cu_rc != CUDA_SUCCESS) {            \
            const char *cu_name = "unknown";    \
            cuGetErrorName(cu_rc, &cu_name);    \
            printf("ERROR %s\n", cu_name);      \
            exit(1);                            \
        }                                       \
    } while (0)

pool_block *pool_get(block_pool *p, size_t bytes);
void pool_put(block_pool *p, pool_block *b);
void pool_drop(block_pool *p);

#endif
