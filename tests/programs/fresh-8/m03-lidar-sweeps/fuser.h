#ifndef LIDAR_FUSER_H
#define LIDAR_FUSER_H

#include "ring.h"

#define FUSER_MAX_FRAMES 16

/* Gathers `sweep` frames, then registers them against the sweep before. */
typedef struct {
    const lidar_ring *ring;
    CUstream stream;
    int sweep;
    int points;
    unsigned first;          /* first frame of the sweep being gathered */
    int gathered;
    unsigned prev_first;     /* first frame of the previous sweep, 0 if none */
    unsigned long long *d_out;
    int out_count;
} fuser;

void fuser_push(fuser *f, unsigned seq);

#endif
