#ifndef DOMAIN_H
#define DOMAIN_H
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CU(call)                                              \
    do {                                                      \
        cudaError_t cu_rc_ = (call);                          \
        if (cu_rc_ != cudaSuccess) {                          \
            printf("ERROR %s\n", cudaGetErrorName(cu_rc_));   \
            exit(1);                                          \
        }                                                     \
    } while (0)

#define MAX_SLABS 8

typedef unsigned int cell_t;

typedef struct sim_opts {
    int slabs;
    int rows;          /* interior rows of a slab */
    int cols;
    int steps;
    int cost_us;       /* cost of the cheapest slab */
    int skew_us;       /* further cost per slab index: the chemistry is stiffer downstream */
} sim_opts;

/* Two time levels, each one allocation; slab d starts at level[k] + d * chunk.
   Rows 0 and rows + 1 of a slab are its halo. The domain is periodic in both directions. */
typedef struct domain {
    sim_opts opt;
    size_t chunk;
    cell_t *level[2];
    cudaStream_t lane[MAX_SLABS];
    cudaEvent_t stepped[2][MAX_SLABS];
} domain;

static inline cell_t *slab_row(const domain *dom, int k, int d, int row)
{
    return dom->level[k] + (size_t)d * dom->chunk + (size_t)row * dom->opt.cols;
}

void domain_open(domain *dom, const sim_opts *opt, const cell_t *init);
void domain_step(domain *dom, int d, int cur, int nxt);
void domain_pull_halo(domain *dom, int d, int nxt, int tag);
void domain_advance(domain *dom);
void domain_fetch(domain *dom, cell_t *out);
void domain_close(domain *dom);

#endif
