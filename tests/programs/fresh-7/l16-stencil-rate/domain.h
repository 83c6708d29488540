/* One-dimensional wave automaton, cut into strips with a stream each. */
#ifndef DOMAIN_H
#define DOMAIN_H

#include <cuda_runtime.h>
#include <stdint.h>

#define STRIPS 3

struct strip {
    uint32_t *cells[2];
    cudaStream_t stream;
    cudaEvent_t done;
};

struct domain {
    struct strip strips[STRIPS];
    int cells_per_strip;
    int front;
    unsigned step_us;
    cudaStream_t lead;
    cudaEvent_t go;
};

int domain_open(struct domain *d, int cells_per_strip, unsigned step_us);
int domain_load(struct domain *d, const uint32_t *cells);
int domain_advance(struct domain *d, int steps);
int domain_wait(struct domain *d);
int domain_store(struct domain *d, uint32_t *cells);
int domain_close(struct domain *d);

#endif
