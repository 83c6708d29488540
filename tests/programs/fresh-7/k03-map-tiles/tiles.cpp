#include "tiles.h"

void tile_cache_open(tile_cache *c)
{
    OK(cudaStreamCreateWithFlags(&c->stream, cudaStreamNonBlocking));
    OK(cudaMalloc((void **)&c->pixels, sizeof(unsigned) * TILE_PIXELS * TILE_SLOTS));
    for (int i = 0; i < TILE_SLOTS; i++)
        c->free_slots[i] = i;
    c->n_free = TILE_SLOTS;
    c->hits = c->decoded = 0;
}

void tile_cache_close(tile_cache *c)
{
    OK(cudaStreamSynchronize(c->stream));
    for (tile *t : c->age)
        delete t;
    c->age.clear();
    c->by_id.clear();
    OK(cudaFree(c->pixels));
    OK(cudaStreamDestroy(c->stream));
}

/* The decoder has finished with this tile: account for it. */
static void CUDART_CB tile_decoded(void *arg)
{
    tile *t = (tile *)arg;
    std::lock_guard<std::mutex> hold(t->owner->guard);
    t->state = TILE_READY;
    t->owner->decoded++;
}

/* Drops the oldest tile. A tile that is still being decoded keeps its slot until it is done. */
static void drop_oldest(tile_cache *c)
{
    tile *t = c->age.front();
    if (t->state == TILE_DECODING)
        OK(cudaStreamSynchronize(c->stream));
    c->age.pop_front();
    c->by_id.erase(t->id);
    c->free_slots[c->n_free++] = t->slot;
    delete t;
}

const unsigned *tile_cache_want(tile_cache *c, int id)
{
    std::lock_guard<std::mutex> hold(c->guard);

    std::map<int, tile *>::iterator it = c->by_id.find(id);
    if (it != c->by_id.end()) {
        c->hits++;
        return c->pixels + (size_t)it->second->slot * TILE_PIXELS;
    }

    if (c->n_free == 0)
        drop_oldest(c);

    tile *t = new tile;
    t->owner = c;
    t->id = id;
    t->slot = c->free_slots[--c->n_free];
    t->state = TILE_DECODING;
    c->by_id[id] = t;
    c->age.push_back(t);

    unsigned *dst = c->pixels + (size_t)t->slot * TILE_PIXELS;
    decode_tile_async(dst, id, c->stream);
    OK(cudaLaunchHostFunc(c->stream, tile_decoded, t));
    return dst;
}
