#include "warp.h"

#include <cuda_runtime.h>
#include <string.h>

static __host__ __device__ unsigned cell_value(unsigned tile, unsigned i)
{
    return (i * 2654435761u >> 16) + tile;
}

static __global__ void project_tile(unsigned *cells, unsigned n, unsigned tile, unsigned long long ns)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        cells[i] = cell_value(tile, i);
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

static __global__ void resample_tile(const unsigned *cells, unsigned n, unsigned *sum)
{
    unsigned acc = 0;
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        acc += cells[i];
    atomicAdd(sum, acc);
}

static CUfunction lookup(const void *symbol)
{
    cudaFunction_t fn = NULL;
    cudaError_t rc = cudaGetFuncBySymbol(&fn, symbol);
    if (rc != cudaSuccess) {
        printf("ERROR %s\n", cudaGetErrorName(rc));
        exit(1);
    }
    return fn;
}

unsigned warp_expected(unsigned tile)
{
    unsigned acc = 0;
    for (unsigned i = 0; i < TILE_CELLS; ++i)
        acc += cell_value(tile, i);
    return acc;
}

void warp_open(warp_engine *w, unsigned tiles)
{
    memset(w, 0, sizeof *w);
    w->tiles = tiles;
    CU(cuInit(0));
    CU(cuDeviceGet(&w->dev, 0));
    CU(cuDevicePrimaryCtxRetain(&w->ctx, w->dev));
    CU(cuCtxSetCurrent(w->ctx));
    w->project = lookup((const void *)project_tile);
    w->resample = lookup((const void *)resample_tile);
    for (int i = 0; i < LANES; ++i)
        CU(cuStreamCreate(&w->lane[i].stream, CU_STREAM_NON_BLOCKING));
    CU(cuMemAlloc(&w->sums, tiles * sizeof(unsigned)));
    CU(cuMemsetD32(w->sums, 0, tiles));
    CU(cuCtxSynchronize());
}

void warp_tile(warp_engine *w, unsigned tile)
{
    warp_lane *l = &w->lane[tile % LANES];
    pool_block *cells = pool_get(&l->pool, TILE_CELLS * sizeof(unsigned));

    unsigned n = TILE_CELLS;
    unsigned long long ns = TILE_NS;
    CUdeviceptr sum = w->sums + tile * sizeof(unsigned);
    void *project_args[] = {&cells->mem, &n, &tile, &ns};
    void *resample_args[] = {&cells->mem, &n, &sum};
    CU(cuLaunchKernel(w->project, 16, 1, 1, 256, 1, 1, 0, l->stream, project_args, NULL));
    CU(cuLaunchKernel(w->resample, 16, 1, 1, 256, 1, 1, 0, l->stream, resample_args, NULL));

    pool_put(&l->pool, cells);
}

void warp_wait(warp_engine *w)
{
    for (int i = 0; i < LANES; ++i)
        CU(cuStreamSynchronize(w->lane[i].stream));
}

void warp_close(warp_engine *w)
{
    for (int i = 0; i < LANES; ++i) {
        pool_drop(&w->lane[i].pool);
        CU(cuStreamDestroy(w->lane[i].stream));
    }
    CU(cuMemFree(w->sums));
    CU(cuDevicePrimaryCtxRelease(w->dev));
}
