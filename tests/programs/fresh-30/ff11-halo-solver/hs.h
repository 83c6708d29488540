/* hs: halo solver. A one-dimensional chain of blocks; each block relaxes on its own queue and
 * swaps its outer planes with its neighbours through host memory once per step. */
#ifndef HS_H
#define HS_H

#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

#define HS_MAX_BLOCKS 8

enum { HS_OK = 0, HS_ENOMEM = -1, HS_EINVAL = -2, HS_ECUDA = -3 };
enum { HS_LOW = 0, HS_HIGH = 1 };

typedef struct hs_params {
    int blocks;
    int planes;            /* per block */
    int plane_cells;
    int sweep_usec;        /* cost of one relaxation of a block */
    size_t lock_min_bytes; /* host buffers from this size on are page-locked */
} hs_params;

typedef struct hs_host_buf {
    void* ptr;
    size_t bytes;
    int locked;
} hs_host_buf;

typedef struct hs_block {
    cudaStream_t queue;
    uint32_t* field;        /* planes + 2 ghost planes */
    hs_host_buf send[2];    /* outermost planes, LOW and HIGH */
    hs_host_buf ghost[2];
} hs_block;

typedef struct hs_solver {
    hs_params prm;
    hs_block blk[HS_MAX_BLOCKS];
    cudaError_t last;       /* behind an HS_ECUDA */
} hs_solver;

/* hs_memory.cpp */
void hs_params_default(hs_params* prm);
int hs_host_get(hs_solver* s, size_t bytes, hs_host_buf* buf);
void hs_host_put(hs_host_buf* buf);

/* hs_solver.cu */
int hs_create(hs_solver* s, const hs_params* prm);
int hs_step(hs_solver* s, unsigned active);
int hs_sync(hs_solver* s);
int hs_fetch(hs_solver* s, int b, uint32_t* out);
void hs_destroy(hs_solver* s);

size_t hs_plane_bytes(const hs_params* prm);

/* returns from the calling function with HS_ECUDA */
#define HS_CU(s, call)                                \
    do {                                              \
        (s)->last = (call);                           \
        if ((s)->last != cudaSuccess) return HS_ECUDA; \
    } while (0)
#define HS_DO(call)                  \
    do {                             \
        const int rc_ = (call);      \
        if (rc_ != HS_OK) return rc_; \
    } while (0)

#endif
