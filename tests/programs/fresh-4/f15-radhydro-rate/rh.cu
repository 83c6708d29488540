#include "rh.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rh_error(cudaError_t e, const char *file, int line)
{
    fprintf(stderr, "%s:%d: %s\n", file, line, cudaGetErrorString(e));
    printf("ERROR %s\n", cudaGetErrorName(e));
    exit(1);
}

__device__ static void iterate_for(unsigned us)
{
    unsigned long long a, b;
    const unsigned long long ns = 1000ull * us;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a) :: "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b) :: "memory");
    } while (b - a < ns);
}

__global__ static void hydro_sweep(double *rho, int zones, int cycle, unsigned us)
{
    iterate_for(us);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < zones)
        rho[i] = 1.0 + 0.01 * ((i + cycle) % 10);
}

__global__ static void rad_solve(const double *rho, double *energy, int zones, unsigned us)
{
    iterate_for(us);
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < zones)
        energy[i] += 0.5 * rho[i];
}

void rh_alloc(rh_state *s, const rh_params *p)
{
    memset(s, 0, sizeof *s);
    s->p = *p;
    RH(cudaStreamCreateWithFlags(&s->hydro, cudaStreamNonBlocking));
    RH(cudaStreamCreateWithFlags(&s->rad, cudaStreamNonBlocking));
    RH(cudaEventCreateWithFlags(&s->hydro_done, cudaEventDisableTiming));
    RH(cudaEventCreateWithFlags(&s->rad_done, cudaEventDisableTiming));
    RH(cudaMalloc((void **)&s->rho, (size_t)p->cycles * p->zones * sizeof(double)));
    RH(cudaMalloc((void **)&s->energy, p->zones * sizeof(double)));
    rh_zero(s);
}

void rh_zero(rh_state *s)
{
    RH(cudaMemset(s->rho, 0, (size_t)s->p.cycles * s->p.zones * sizeof(double)));
    RH(cudaMemset(s->energy, 0, s->p.zones * sizeof(double)));
    RH(cudaDeviceSynchronize());
}

void rh_cycle(rh_state *s, int c)
{
    const int block = 128, grid = (s->p.zones + block - 1) / block;
    double *slab = s->rho + (size_t)c * s->p.zones;
    hydro_sweep<<<grid, block, 0, s->hydro>>>(slab, s->p.zones, c, s->p.hydro_us);
    RH(cudaGetLastError());
    RH(cudaEventRecord(s->hydro_done, s->hydro));
    RH(cudaStreamWaitEvent(s->rad, s->hydro_done, 0));
    rad_solve<<<grid, block, 0, s->rad>>>(slab, s->energy, s->p.zones, s->p.rad_us);
    RH(cudaGetLastError());
    RH(cudaEventRecord(s->rad_done, s->rad));
}

/* Completes the cycles queued so far. */
void rh_finish(rh_state *s)
{
    RH(cudaStreamWaitEvent(s->hydro, s->rad_done, 0));
    RH(cudaStreamSynchronize(s->hydro));
}

void rh_release(rh_state *s)
{
    RH(cudaFree(s->rho));
    RH(cudaFree(s->energy));
    RH(cudaEventDestroy(s->hydro_done));
    RH(cudaEventDestroy(s->rad_done));
    RH(cudaStreamDestroy(s->hydro));
    RH(cudaStreamDestroy(s->rad));
}
