/* Three one-way/two-way nested domains of a toy regional model.
 * d01 is the outermost; every nest covers parent cells [NEST0, NEST1) at REFINE times the resolution. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include <cuda.h>
#include <cuda_runtime.h>

#define NDOM 3
#define NX 64
#define NSTEP 24
#define REFINE 2
#define NEST0 16
#define NEST1 48
#define KAPPA 0.2f
#define COST_NS 3000000LL

#define U(d, t) u[(d) * 2 + ((t) & 1)]
#define H(d, t) h[(d) * 2 + ((t) & 1)]
#define FOR_DOMAINS(d) for (int d = 0; d < NDOM; ++d)

#define RT(call)                                                     \
    do {                                                             \
        cudaError_t rt_ = (call);                                    \
        if (rt_ != cudaSuccess) abort_run(cudaGetErrorName(rt_));    \
    } while (0)

#define DRV(call)                                                    \
    do {                                                             \
        CUresult drv_ = (call);                                      \
        if (drv_ != CUDA_SUCCESS) {                                  \
            const char *name_ = "CUDA_ERROR_UNKNOWN";                \
            cuGetErrorName(drv_, &name_);                            \
            abort_run(name_);                                        \
        }                                                            \
    } while (0)

enum exchange { LATERAL, FEEDBACK };

/* Step t of `to` uses the state of `from` at time t + 1 - lag. */
struct coupling {
    int from, to;
    enum exchange what;
    int lag;
};

extern float **u; /* device fields, two time levels per domain */
extern float **h; /* the same on the host, for the check run */

void abort_run(const char *name);

/* dynamics.cu */
void advance_domain(int d, int t, const struct coupling *c, int nc, cudaStream_t s);
void advance_host(int d, int t, const struct coupling *c, int nc);

/* clock.cpp */
void clocks_open(void);
void clocks_close(void);
void clock_await(cudaStream_t s, int d, int time);
void clock_post(cudaStream_t s, int d, int time);

#endif
