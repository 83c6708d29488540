#ifndef LIDAR_RING_H
#define LIDAR_RING_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#define RING_SLOTS 2

#define CK(call)                                              \
    do {                                                      \
        cudaError_t ck_rc = (call);                           \
        if (ck_rc != cudaSuccess) {                           \
            printf("ERROR %s\n", cudaGetErrorName(ck_rc));    \
            exit(1);                                          \
        }                                                     \
    } while (0)

/* One rotation of the sensor: page-locked staging area plus its device image. */
typedef struct {
    float *host;
    float *dev;
    cudaEvent_t staged;
    cudaEvent_t uploaded;
    cudaEvent_t consumed;
} ring_slot;

typedef struct {
    ring_slot slot[RING_SLOTS];
    cudaStream_t copy;
    cudaStream_t compute;
    size_t points;
    unsigned seq;
} scan_ring;

typedef void (*ring_fill_fn)(float *dst, size_t points, unsigned seq, void *user);
typedef void (*ring_launch_fn)(const float *dev, size_t points, unsigned seq,
                               cudaStream_t stream, void *user);

void ring_open(scan_ring *r, size_t points);
void ring_submit(scan_ring *r, ring_fill_fn fill, ring_launch_fn launch, void *user);
void ring_flush(scan_ring *r);
void ring_close(scan_ring *r);

#endif
