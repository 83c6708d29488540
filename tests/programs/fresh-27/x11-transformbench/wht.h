/* Batched Walsh-Hadamard transforms for the spectral solver. */
#ifndef WHT_H
#define WHT_H
#include <cuda_runtime.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define GPU(call)                                             \
    do {                                                      \
        cudaError_t rc_ = (call);                             \
        if (rc_ != cudaSuccess) {                             \
            printf("ERROR %s\n", cudaGetErrorName(rc_));      \
            exit(1);                                          \
        }                                                     \
    } while (0)

typedef struct {
    int log2n;
    unsigned long long pass_ns;
    cudaStream_t lane;
    cudaEvent_t tail;
    uint64_t *data;
} wht_plan;

void wht_create(wht_plan *p, int log2n, unsigned long long pass_ns);
void wht_destroy(wht_plan *p);
void wht_upload(wht_plan *p, const uint64_t *x);
void wht_download(wht_plan *p, uint64_t *x);
/* Unnormalised transform in place, in the lane of the plan. */
void wht_execute(wht_plan *p);
/* Orders the stream after everything the plan has been given so far. */
void wht_follow(wht_plan *p, cudaStream_t stream);

#endif
