/* Multi-block explicit heat conduction on a periodic ring of blocks. */
#ifndef DOMAIN_H
#define DOMAIN_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define MAX_BLOCKS 8
#define NGHOST 1
#define SRC_DECAY 0.97

#define CU(call)                                            \
    do {                                                    \
        cudaError_t rc_ = (call);                           \
        if (rc_ != cudaSuccess) {                           \
            printf("ERROR %s\n", cudaGetErrorName(rc_));    \
            exit(1);                                        \
        }                                                   \
    } while (0)

/* Structure of arrays: temperature with ghosts, heat source without. */
typedef struct {
    double *temp[2];
    double *src;
    cudaStream_t comp;
    cudaStream_t halo;
    cudaEvent_t edge;
    cudaEvent_t ghost;
} block_t;

typedef struct {
    int nblocks;
    int ncell;
    int steps;
    int cur;
    double nu;
    double dt;
    block_t blk[MAX_BLOCKS];
} domain_t;

#define LEFT_OF(d, b) (((b) + (d)->nblocks - 1) % (d)->nblocks)
#define RIGHT_OF(d, b) (((b) + 1) % (d)->nblocks)

void domain_init(domain_t *d, const double *temp, const double *src);
void domain_fetch(domain_t *d, double *temp);
void domain_free(domain_t *d);
void domain_run(domain_t *d);

void block_advance(domain_t *d, int b);
void block_exchange(domain_t *d, int b);

#endif
