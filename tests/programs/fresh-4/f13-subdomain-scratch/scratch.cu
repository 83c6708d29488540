#include "scratch.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sim_fatal(cudaError_t e, const char *where)
{
    fprintf(stderr, "%s failed\n", where);
    printf("ERROR %s\n", cudaGetErrorName(e));
    exit(1);
}

__device__ static void physics_load(unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(a) :: "memory");
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(b) :: "memory");
    } while (b - a < ns);
}

__global__ static void init_field(double *f, int n, int id)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f[i] = id + 0.001 * (i % 100);
}

__global__ static void compute_flux(const double *f, double *flux, int n)
{
    physics_load(15000000ull);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        flux[i] = 0.5 * (f[i] - f[(i + 1) % n]);
}

__global__ static void apply_flux(double *f, const double *flux, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        f[i] = f[i] - 0.5 * (flux[i] - flux[(i + n - 1) % n]);
}

__global__ static void beat(unsigned *counter)
{
    *counter += 1;
}

void sim_init(sim_ctx *sim, int n_sub, int n)
{
    memset(sim, 0, sizeof *sim);
    sim->n_sub = n_sub;

    cudaMemPoolProps props;
    memset(&props, 0, sizeof props);
    props.allocType = cudaMemAllocationTypePinned;
    props.location.type = cudaMemLocationTypeDevice;
    props.location.id = 0;
    SIM(cudaMemPoolCreate(&sim->pool, &props));
    uint64_t keep = UINT64_MAX;
    int off = 0;
    SIM(cudaMemPoolSetAttribute(sim->pool, cudaMemPoolAttrReleaseThreshold, &keep));
    SIM(cudaMemPoolSetAttribute(sim->pool, cudaMemPoolReuseAllowInternalDependencies, &off));

    SIM(cudaMalloc((void **)&sim->heartbeat, sizeof(unsigned)));
    for (int s = 0; s < n_sub; ++s) {
        subdomain *sd = &sim->sub[s];
        sd->id = s;
        sd->n = n;
        SIM(cudaMalloc((void **)&sd->field, n * sizeof(double)));
        SIM(cudaStreamCreateWithFlags(&sd->stream, cudaStreamNonBlocking));
    }
    sim_reset(sim);
}

void sim_reset(sim_ctx *sim)
{
    SIM(cudaMemset(sim->heartbeat, 0, sizeof(unsigned)));
    for (int s = 0; s < sim->n_sub; ++s) {
        subdomain *sd = &sim->sub[s];
        init_field<<<(sd->n + 255) / 256, 256>>>(sd->field, sd->n, sd->id);
        SIM(cudaGetLastError());
    }
    SIM(cudaDeviceSynchronize());
}

/* Queues `steps` steps of subdomains [first, first + count). */
void sim_advance(sim_ctx *sim, int first, int count, int steps)
{
    for (int k = 0; k < steps; ++k) {
        for (int s = first; s < first + count; ++s) {
            subdomain *sd = &sim->sub[s];
            double *flux = NULL;
            SIM(cudaMallocFromPoolAsync((void **)&flux, sd->n * sizeof(double), sim->pool, sd->stream));
            compute_flux<<<4, 256, 0, sd->stream>>>(sd->field, flux, sd->n);
            apply_flux<<<4, 256, 0, sd->stream>>>(sd->field, flux, sd->n);
            SIM(cudaGetLastError());
            SIM(cudaFreeAsync(flux, sd->stream));
        }
        beat<<<1, 1>>>(sim->heartbeat);
        SIM(cudaGetLastError());
    }
}

void sim_wait(sim_ctx *sim)
{
    for (int s = 0; s < sim->n_sub; ++s)
        SIM(cudaStreamSynchronize(sim->sub[s].stream));
}

void sim_free(sim_ctx *sim)
{
    for (int s = 0; s < sim->n_sub; ++s) {
        SIM(cudaFree(sim->sub[s].field));
        SIM(cudaStreamDestroy(sim->sub[s].stream));
    }
    SIM(cudaFree(sim->heartbeat));
    SIM(cudaMemPoolDestroy(sim->pool));
}
