/* vx: reference-counted device surfaces for the transcoder. */
#ifndef VX_POOL_H
#define VX_POOL_H

#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define VX_MAX_SURFACES 8

#define VX_TRY(call)                                         \
    do {                                                     \
        cudaError_t vx_err_ = (call);                        \
        if (vx_err_ != cudaSuccess) {                        \
            printf("ERROR %s\n", cudaGetErrorName(vx_err_)); \
            exit(1);                                         \
        }                                                    \
    } while (0)

typedef struct vx_surface {
    uint32_t *pixels;
    cudaEvent_t idle;
    int refs;
} vx_surface;

typedef struct vx_pool {
    vx_surface slots[VX_MAX_SURFACES];
    int count;
    int cursor;
    size_t npixels;
} vx_pool;

void vx_pool_init(vx_pool *pool, int count, size_t npixels);
void vx_pool_uninit(vx_pool *pool);

/* Returns a surface with one reference, ready to be written on `writer`. */
vx_surface *vx_pool_get(vx_pool *pool, cudaStream_t writer);

vx_surface *vx_surface_ref(vx_surface *s);

/* Drops a reference held for work submitted to `user`. */
void vx_surface_unref(vx_surface *s, cudaStream_t user);

#endif
