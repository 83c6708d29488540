#ifndef TILE_WARP_H
#define TILE_WARP_H
/* Map reprojection: tiles are warped on independent lanes. */

#include "pool.h"

#define LANES 4
#define TILE_CELLS (1 << 21)
#define TILE_NS 12000000ull

typedef struct {
    CUstream stream;
    block_pool pool;
} warp_lane;

typedef struct {
    CUdevice dev;
    CUcontext ctx;
    CUfunction project;
    CUfunction resample;
    warp_lane lane[LANES];
    CUdeviceptr sums;       /* one word per tile */
    unsigned tiles;
} warp_engine;

void warp_open(warp_engine *w, unsigned tiles);
void warp_tile(warp_engine *w, unsigned tile);
void warp_wait(warp_engine *w);
void warp_close(warp_engine *w);
unsigned warp_expected(unsigned tile);

#endif
