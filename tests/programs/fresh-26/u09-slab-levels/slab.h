#ifndef SLAB_H
#define SLAB_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define NRANK 3
#define NX    256
#define NY    62
#define PITCH NX
#define ROWS  (NY + 2)
#define CELLS (ROWS * PITCH)
#define NSTEP 6

#define RANK_UP(r) (((r) + 1) % NRANK)
#define RANK_DN(r) (((r) + NRANK - 1) % NRANK)

#define EDGE_EV(r, l) g_ev_edge[(r) * 2 + (l)]
#define STEP_EV(r, l) g_ev_step[(r) * 2 + (l)]
#define HALO_EV(r, l) g_ev_halo[(r) * 2 + (l)]

#define CK(call)                                                   \
    do {                                                           \
        cudaError_t ck_ = (call);                                  \
        if (ck_ != cudaSuccess) {                                  \
            printf("ERROR %s\n", cudaGetErrorName(ck_));           \
            exit(1);                                               \
        }                                                          \
    } while (0)

extern float       *g_field[NRANK][2];
extern cudaStream_t g_comp[NRANK];
extern cudaStream_t g_comm[NRANK];
extern cudaEvent_t  g_ev_edge[NRANK * 2];
extern cudaEvent_t  g_ev_step[NRANK * 2];
extern cudaEvent_t  g_ev_halo[NRANK * 2];

/* halo.cu */
void halo_setup(void);
void halo_teardown(void);
void halo_exchange(int cur, int nxt);

/* step.cu */
void step_warm(void);
void step_advance(int r, int cur, int nxt);

#endif
