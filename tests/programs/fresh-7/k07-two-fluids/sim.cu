#include "fluids.cuh"

#include <string.h>

#define TRY(e)                                   \
    do {                                         \
        cudaError_t try_e = (e);                 \
        if (try_e != cudaSuccess)                \
            return cudaGetErrorName(try_e);      \
    } while (0)

static __global__ void relax(uint32_t *density, const uint32_t *forcing, uint32_t rate, int kilocycles)
{
    long long t0 = clock64();
    while (clock64() - t0 < 1000LL * kilocycles)
        ;
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < CELLS; c += gridDim.x * blockDim.x)
        density[c] = relax_cell(density[c], forcing[c], rate);
}

static const char *fluid_create(fluid *f, const char *name, uint32_t rate, int spin, unsigned flags)
{
    memset(f, 0, sizeof *f);
    f->name = name;
    f->rate = rate;
    f->spin = spin;
    TRY(cudaStreamCreateWithFlags(&f->stream, flags));
    TRY(cudaMalloc((void **)&f->density, CELLS * sizeof(uint32_t)));
    TRY(cudaMalloc((void **)&f->forcing, CELLS * sizeof(uint32_t)));
    TRY(cudaMemset(f->density, 0, CELLS * sizeof(uint32_t)));
    return NULL;
}

static const char *fluid_step(fluid *f, const uint32_t *force)
{
    TRY(cudaMemcpyAsync(f->forcing, force, CELLS * sizeof(uint32_t), cudaMemcpyHostToDevice, f->stream));
    relax<<<16, 256, 0, f->stream>>>(f->density, f->forcing, f->rate, f->spin);
    TRY(cudaGetLastError());
    return NULL;
}

const char *sim_create(sim *s, const sim_options *o)
{
    const char *e;
    memset(s, 0, sizeof *s);
    if ((e = fluid_create(&s->oil, "oil", 3u, o->spin_oil, o->stream_flags)))
        return e;
    if ((e = fluid_create(&s->water, "water", 5u, o->spin_water, o->stream_flags)))
        return e;
    TRY(cudaMalloc((void **)&s->exchange, CELLS * sizeof(uint32_t)));
    TRY(cudaMalloc((void **)&s->residual, STEPS * sizeof(uint32_t)));
    TRY(cudaMemset(s->residual, 0, STEPS * sizeof(uint32_t)));
    TRY(cudaMallocHost((void **)&s->host_force, 2 * CELLS * sizeof(uint32_t)));
    return NULL;
}

const char *sim_advance(sim *s, int step, uint32_t *residual)
{
    const char *e;
    for (uint32_t c = 0; c < CELLS; c++) {
        s->host_force[c] = c * 40503u + (uint32_t)step;
        s->host_force[CELLS + c] = c * 30011u ^ ((uint32_t)step << 9);
    }
    if ((e = fluid_step(&s->oil, s->host_force)))
        return e;
    if ((e = fluid_step(&s->water, s->host_force + CELLS)))
        return e;
    TRY(exchange_step(s, step));
    TRY(cudaMemcpy(residual, s->residual + step, sizeof *residual, cudaMemcpyDeviceToHost));
    return NULL;
}

const char *sim_read(sim *s, uint32_t *oil, uint32_t *water)
{
    TRY(cudaMemcpy(oil, s->oil.density, CELLS * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    TRY(cudaMemcpy(water, s->water.density, CELLS * sizeof(uint32_t), cudaMemcpyDeviceToHost));
    return NULL;
}

void sim_destroy(sim *s)
{
    fluid *both[2] = {&s->oil, &s->water};
    for (int i = 0; i < 2; i++) {
        cudaFree(both[i]->density);
        cudaFree(both[i]->forcing);
        cudaStreamDestroy(both[i]->stream);
    }
    cudaFree(s->exchange);
    cudaFree(s->residual);
    cudaFreeHost(s->host_force);
}
