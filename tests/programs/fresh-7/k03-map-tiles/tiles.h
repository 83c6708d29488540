#ifndef TILES_H
#define TILES_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include <list>
#include <map>
#include <mutex>

#define TILE_PIXELS (256 * 256)
#define TILE_SLOTS 4

#define OK(call)                                        \
    do {                                                \
        cudaError_t ok_err = (call);                    \
        if (ok_err != cudaSuccess) {                    \
            printf("ERROR %s\n", cudaGetErrorName(ok_err)); \
            fflush(stdout);                             \
            _Exit(1);                                   \
        }                                               \
    } while (0)

enum tile_state { TILE_DECODING, TILE_READY };

struct tile_cache;

struct tile {
    struct tile_cache *owner;
    int id;
    int slot;
    enum tile_state state;
};

/* Decoded map tiles in a fixed number of device slots, oldest out first. */
struct tile_cache {
    std::mutex guard;
    std::map<int, tile *> by_id;
    std::list<tile *> age;
    int free_slots[TILE_SLOTS];
    int n_free;
    unsigned *pixels;
    cudaStream_t stream;
    int hits, decoded;
};

void tile_cache_open(tile_cache *c);
void tile_cache_close(tile_cache *c);

/* Makes sure that the tile is there or on its way; further work on c->stream may use it. */
const unsigned *tile_cache_want(tile_cache *c, int id);

/* raster.cu */
void decode_tile_async(unsigned *dst, int id, cudaStream_t s);
void blend_tile_async(unsigned *canvas, const unsigned *tile, cudaStream_t s);

#endif
