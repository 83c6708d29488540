/* arena.cpp - workspace of a solve
 * A solve reserves what it needs, takes vectors one after another and
 * rewinds.  The block only grows.
 */
#include "lattice.h"

static struct {
    double *base;
    size_t  capacity;
    size_t  used;
} arena;

void arena_reserve(size_t count) {
    if (count <= arena.capacity)
        return;
    if (arena.base)
        LQ(cudaFree(arena.base));
    LQ(cudaMalloc(&arena.base, count * sizeof(double)));
    arena.capacity = count;
    arena.used = 0;
}

double *arena_take(size_t count) {
    if (arena.used + count > arena.capacity)
        exit(3);
    double *p = arena.base + arena.used;
    arena.used += count;
    return p;
}

void arena_rewind(void) { arena.used = 0; }
