#include "vx_pool.h"

#include <string.h>

void vx_pool_init(vx_pool *pool, int count, size_t npixels)
{
    memset(pool, 0, sizeof(*pool));
    pool->count = count;
    pool->npixels = npixels;
    for (int i = 0; i < count; i++) {
        VX_TRY(cudaMalloc((void **)&pool->slots[i].pixels, npixels * sizeof(uint32_t)));
        VX_TRY(cudaEventCreateWithFlags(&pool->slots[i].idle, cudaEventDisableTiming));
    }
}

void vx_pool_uninit(vx_pool *pool)
{
    for (int i = 0; i < pool->count; i++) {
        VX_TRY(cudaEventDestroy(pool->slots[i].idle));
        VX_TRY(cudaFree(pool->slots[i].pixels));
    }
}

vx_surface *vx_pool_get(vx_pool *pool, cudaStream_t writer)
{
    for (int tries = 0; tries < pool->count; tries++) {
        vx_surface *s = &pool->slots[pool->cursor];
        pool->cursor = (pool->cursor + 1) % pool->count;
        if (s->refs == 0) {
            s->refs = 1;
            VX_TRY(cudaStreamWaitEvent(writer, s->idle, 0));
            return s;
        }
    }
    return NULL;
}

vx_surface *vx_surface_ref(vx_surface *s)
{
    s->refs++;
    return s;
}

void vx_surface_unref(vx_surface *s, cudaStream_t user)
{
    VX_TRY(cudaEventRecord(s->idle, user));
    s->refs--;
}
