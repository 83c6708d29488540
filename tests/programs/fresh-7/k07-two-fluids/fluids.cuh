#pragma once
#include <cuda_runtime.h>
#include <stdint.h>

#define CELLS (1 << 16)
#define STEPS 5

typedef struct {
    unsigned stream_flags;
    int      spin_oil;   /* kilocycles of relaxation per step */
    int      spin_water;
} sim_options;

typedef struct {
    const char  *name;
    uint32_t    *density;  /* device */
    uint32_t    *forcing;  /* device, written anew each step */
    cudaStream_t stream;
    uint32_t     rate;
    int          spin;
} fluid;

typedef struct {
    fluid     oil, water;
    uint32_t *exchange;    /* device: what crosses the interface */
    uint32_t *residual;    /* device, one word per step */
    uint32_t *host_force;  /* page-locked: oil first, then water */
} sim;

const char *sim_create(sim *s, const sim_options *o);
const char *sim_advance(sim *s, int step, uint32_t *residual);
const char *sim_read(sim *s, uint32_t *oil, uint32_t *water);
void        sim_destroy(sim *s);

/* Closes the step: both fluids give to and take from the interface. */
cudaError_t exchange_step(sim *s, int step);

static inline __host__ __device__ uint32_t relax_cell(uint32_t d, uint32_t f, uint32_t rate)
{
    return d * rate + (f ^ (d >> 7));
}
