#ifndef SWEEP_H
#define SWEEP_H
/* Transport sweep over four angular quadrants, plus a residual on the way out. */

#include "bench.h"

#define QUADRANTS 4
#define MESH_CELLS (1 << 16)

typedef struct {
    CUstream stream;
    CUevent done;
    CUdeviceptr flux;
} quadrant;

typedef struct {
    CUfunction advance;
    CUfunction norm;
    CUevent fork;
    quadrant q[QUADRANTS];
    CUdeviceptr norm_out;   /* one word */
    unsigned sweeps;
    unsigned norms;
} sweep;

void sweep_open(sweep *s);
void sweep_queue(CUstream stream, void *user);
void sweep_drain(void *user);
void norm_queue(CUstream stream, void *user);
void norm_drain(void *user);
int sweep_check(sweep *s);
void sweep_close(sweep *s);

#endif
