/* Multi-block integrator with in-flight checkpoints. */
#ifndef SIM_H
#define SIM_H
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define NBLOCKS 4
#define NCELL (256 * 1024)
#define STEP_NS 25000000ULL

#define CK(call)                                             \
    do {                                                     \
        cudaError_t rc_ = (call);                            \
        if (rc_ != cudaSuccess) {                            \
            printf("ERROR %s\n", cudaGetErrorName(rc_));     \
            exit(1);                                         \
        }                                                    \
    } while (0)

struct ckpt;

typedef struct {
    uint32_t *state;
    cudaStream_t stream;
} patch_t;

typedef struct {
    patch_t patch[NBLOCKS];
    int time;
} sim_t;

static inline __host__ __device__ uint32_t advance_cell(uint32_t u, uint32_t gid)
{
    return u * 1664525u + gid + 1013904223u;
}

void sim_init(sim_t *s);
void sim_free(sim_t *s);
/* Advances by the given number of steps; ck may be NULL. Returns seconds. */
double sim_run(sim_t *s, int steps, struct ckpt *ck);

#endif
