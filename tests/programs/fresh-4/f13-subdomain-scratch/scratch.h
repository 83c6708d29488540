/* Domain-decomposed stencil with per-step scratch storage taken from a device
 * memory pool. Every subdomain works on its own stream. */
#ifndef SCRATCH_H
#define SCRATCH_H

#include <cuda_runtime.h>

#define MAX_SUBDOMAINS 8

typedef struct subdomain {
    int id;
    int n;
    double *field;          /* device */
    cudaStream_t stream;
} subdomain;

typedef struct sim_ctx {
    int n_sub;
    subdomain sub[MAX_SUBDOMAINS];
    cudaMemPool_t pool;
    unsigned *heartbeat;    /* device */
} sim_ctx;

void sim_fatal(cudaError_t e, const char *where);
#define SIM(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) sim_fatal(e_, #x); } while (0)

void sim_init(sim_ctx *sim, int n_sub, int n);
void sim_reset(sim_ctx *sim);
void sim_advance(sim_ctx *sim, int first, int count, int steps);
void sim_wait(sim_ctx *sim);
void sim_free(sim_ctx *sim);

#endif
