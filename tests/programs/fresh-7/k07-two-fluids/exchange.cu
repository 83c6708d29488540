#include "fluids.cuh"

static __global__ void collect(const uint32_t *oil, const uint32_t *water, uint32_t *exchange)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < CELLS)
        exchange[c] = (oil[c] >> 3) ^ (water[CELLS - 1 - c] >> 5);
}

static __global__ void give_back(uint32_t *oil, uint32_t *water, const uint32_t *exchange, uint32_t *residual)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x;
    if (c < CELLS) {
        oil[c] += exchange[c];
        water[c] -= exchange[c];
        atomicAdd(residual, exchange[c] & 0xffu);
    }
}

cudaError_t exchange_step(sim *s, int step)
{
    collect<<<CELLS / 256, 256>>>(s->oil.density, s->water.density, s->exchange);
    give_back<<<CELLS / 256, 256>>>(s->oil.density, s->water.density, s->exchange, s->residual + step);
    return cudaGetLastError();
}
