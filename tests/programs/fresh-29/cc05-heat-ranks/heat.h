#ifndef HEAT_H
#define HEAT_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define RANKS 3
#define NX 256            /* cells of a row                       */
#define ROWS 96           /* rows of a rank, without its ghosts   */
#define PITCH_ROWS (ROWS + 2)
#define STEPS 10
#define ALPHA 0.2f

#define CUDA_TRY(call)                                         \
    do {                                                       \
        cudaError_t e_ = (call);                               \
        if (e_ != cudaSuccess) {                               \
            printf("ERROR %s\n", cudaGetErrorName(e_));        \
            fflush(stdout);                                    \
            quick_exit(1);                                     \
        }                                                      \
    } while (0)

/* Row 0 and row ROWS + 1 of a field are ghosts. */
typedef struct {
    float *u[2];
    float *wire[2];         /* packed edge rows: [0] up, [1] down */
    cudaStream_t compute, halo;
    cudaEvent_t stepped;    /* the fields of a step are complete  */
    cudaEvent_t delivered;  /* the neighbours' ghosts are filled  */
} rank_t;

void rank_create(rank_t *r);
void rank_destroy(rank_t *r);
void exchange(rank_t *all, int me, int cur);
void advance(rank_t *all, int me, int cur);
void run(rank_t *all, int steps);

void host_reference(float *field, int steps);

#endif
