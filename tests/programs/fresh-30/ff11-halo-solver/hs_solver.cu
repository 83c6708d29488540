#include "hs.h"

#include <string.h>

static __global__ void fill(uint32_t* field, int cells, int planes, int block)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < cells * (planes + 2); i += gridDim.x * blockDim.x) {
        const int plane = i / cells;
        const bool inner = plane >= 1 && plane <= planes;
        field[i] = inner ? (uint32_t)(i * 2654435761u) ^ (uint32_t)(block * 977) : 0u;
    }
}

/* One thread owns a column of the block and walks up through its planes. */
static __global__ void sweep(uint32_t* field, int cells, int planes, int usec)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin) : : "memory");
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < cells; c += gridDim.x * blockDim.x) {
        uint32_t below = field[c];
        for (int p = 1; p <= planes; ++p) {
            const uint32_t mid = field[p * cells + c], above = field[(p + 1) * cells + c];
            field[p * cells + c] = mid * 3u + below + (above >> 1);
            below = mid;
        }
    }
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now) : : "memory");
    } while (now - begin < 1000ull * usec);
}

static int launch_fill(hs_solver* s, int b)
{
    fill<<<64, 256, 0, s->blk[b].queue>>>(s->blk[b].field, s->prm.plane_cells, s->prm.planes, b);
    HS_CU(s, cudaGetLastError());
    return HS_OK;
}

static int launch_sweep(hs_solver* s, int b)
{
    sweep<<<32, 256, 0, s->blk[b].queue>>>(s->blk[b].field, s->prm.plane_cells, s->prm.planes, s->prm.sweep_usec);
    HS_CU(s, cudaGetLastError());
    return HS_OK;
}

static uint32_t* plane(hs_solver* s, int b, int p) { return s->blk[b].field + (size_t)p * s->prm.plane_cells; }

int hs_create(hs_solver* s, const hs_params* prm)
{
    memset(s, 0, sizeof(*s));
    if (prm->blocks < 1 || prm->blocks > HS_MAX_BLOCKS) return HS_EINVAL;
    s->prm = *prm;
    const size_t bytes = hs_plane_bytes(prm);
    for (int b = 0; b < prm->blocks; ++b) {
        hs_block* k = &s->blk[b];
        HS_CU(s, cudaStreamCreateWithFlags(&k->queue, cudaStreamNonBlocking));
        HS_CU(s, cudaMalloc((void**)&k->field, bytes * (prm->planes + 2)));
        for (int side = HS_LOW; side <= HS_HIGH; ++side) {
            HS_DO(hs_host_get(s, bytes, &k->send[side]));
            HS_DO(hs_host_get(s, bytes, &k->ghost[side]));
        }
        HS_DO(launch_fill(s, b));
    }
    return hs_sync(s);
}

int hs_sync(hs_solver* s)
{
    for (int b = 0; b < s->prm.blocks; ++b) HS_CU(s, cudaStreamSynchronize(s->blk[b].queue));
    return HS_OK;
}

/* Bring in the ghosts, relax, bring out the outermost planes. */
static int issue(hs_solver* s, int b)
{
    hs_block* k = &s->blk[b];
    const size_t bytes = hs_plane_bytes(&s->prm);
    const int top = s->prm.planes;
    HS_CU(s, cudaMemcpyAsync(plane(s, b, 0), k->ghost[HS_LOW].ptr, bytes, cudaMemcpyHostToDevice, k->queue));
    HS_CU(s, cudaMemcpyAsync(plane(s, b, top + 1), k->ghost[HS_HIGH].ptr, bytes, cudaMemcpyHostToDevice, k->queue));
    HS_DO(launch_sweep(s, b));
    HS_CU(s, cudaMemcpyAsync(k->send[HS_LOW].ptr, plane(s, b, 1), bytes, cudaMemcpyDeviceToHost, k->queue));
    HS_CU(s, cudaMemcpyAsync(k->send[HS_HIGH].ptr, plane(s, b, top), bytes, cudaMemcpyDeviceToHost, k->queue));
    return HS_OK;
}

/* One step of the blocks in the mask; the others keep still. */
int hs_step(hs_solver* s, unsigned active)
{
    for (int b = 0; b < s->prm.blocks; ++b)
        if (active >> b & 1u) HS_DO(issue(s, b));
    HS_DO(hs_sync(s));
    for (int b = 0; b + 1 < s->prm.blocks; ++b) {
        memcpy(s->blk[b].ghost[HS_HIGH].ptr, s->blk[b + 1].send[HS_LOW].ptr, hs_plane_bytes(&s->prm));
        memcpy(s->blk[b + 1].ghost[HS_LOW].ptr, s->blk[b].send[HS_HIGH].ptr, hs_plane_bytes(&s->prm));
    }
    return HS_OK;
}

int hs_fetch(hs_solver* s, int b, uint32_t* out)
{
    HS_CU(s, cudaMemcpy(out, plane(s, b, 1), hs_plane_bytes(&s->prm) * s->prm.planes, cudaMemcpyDeviceToHost));
    return HS_OK;
}

void hs_destroy(hs_solver* s)
{
    for (int b = 0; b < s->prm.blocks; ++b) {
        hs_block* k = &s->blk[b];
        if (k->queue) cudaStreamDestroy(k->queue);
        cudaFree(k->field);
        for (int side = HS_LOW; side <= HS_HIGH; ++side) {
            hs_host_put(&k->send[side]);
            hs_host_put(&k->ghost[side]);
        }
    }
}
