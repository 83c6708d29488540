/* Mean forces on a chain of atoms: near pairs and the far field are summed side
 * by side over a number of steps. */
#ifndef MD_FORCES_H
#define MD_FORCES_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct md_engine md_engine;

typedef struct {
  int atoms;
  long long near_ns;  /* least time of the near pairs of a step */
  long long far_ns;   /* least time of the far field of a step */
} md_params;

typedef struct {
  int steps;
  float step_ms;      /* mean time of a step, both parts */
  float total_ms;
} md_timing;

cudaError_t md_create(const md_params *params, md_engine **out);
void md_destroy(md_engine *engine);

/* `x` holds one coordinate per atom and may be reused on return. */
cudaError_t md_set_positions(md_engine *engine, const float *x);

/* Sums the forces of `steps` steps; returns when they are complete. */
cudaError_t md_run(md_engine *engine, int steps);

/* The same as md_run, preceded by an untimed step, and reports its speed in the
 * steady state: the time in which the device gets `steps` steps done. */
cudaError_t md_measure(md_engine *engine, int steps, md_timing *timing);

/* Mean force per step and atom of the last md_run or md_measure. */
cudaError_t md_get_forces(md_engine *engine, float *f);

#ifdef __cplusplus
}
#endif
#endif
