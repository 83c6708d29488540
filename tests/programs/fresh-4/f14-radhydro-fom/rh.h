/* rh: radiation-hydrodynamics mini-app. The hydro sweep of cycle c + 1 may
 * overlap the radiation solve of cycle c; the figure of merit is zone updates
 * per second over a number of complete cycles. */
#ifndef RH_H
#define RH_H

#include <cuda_runtime.h>

typedef struct rh_params {
    int zones;
    int cycles;
    int hydro_us;
    int rad_us;
} rh_params;

typedef struct rh_state {
    rh_params p;
    cudaStream_t hydro;
    cudaStream_t rad;
    cudaEvent_t hydro_done;
    cudaEvent_t rad_done;
    double *rho;      /* cycles x zones, one slab per cycle */
    double *energy;   /* zones */
} rh_state;

void rh_error(cudaError_t e, const char *file, int line);
#define RH(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) rh_error(e_, __FILE__, __LINE__); } while (0)

void rh_alloc(rh_state *s, const rh_params *p);
void rh_zero(rh_state *s);
void rh_cycle(rh_state *s, int c);
void rh_finish(rh_state *s);
void rh_release(rh_state *s);

#endif
