#pragma once
#include <cuda_runtime.h>
#include <stddef.h>
#include <stdint.h>

typedef enum { FEM_OK = 0, FEM_ECUDA = 1, FEM_EARG = 2, FEM_EFULL = 3 } fem_status;
typedef enum { OP_NONE = 0, OP_ASSEMBLE = 1, OP_APPLY = 2 } fem_op;

/* One request to the resident solver. */
typedef struct {
    int op;
    int n;
    float *dst;
    const float *src0;
    const float *src1;
} fem_job;

typedef struct {
    volatile uint32_t posted;
    volatile uint32_t done;
    volatile uint32_t quit;
    fem_job job;
} fem_mailbox;

typedef struct {
    cudaStream_t stream;
    fem_mailbox *host;
    fem_mailbox *dev;
    uint32_t seq;
} fem_service;

#define WS_MAX_BLOCKS 16

typedef struct {
    void *ptr;
    size_t bytes;
    int live;
} ws_block;

typedef struct {
    ws_block blocks[WS_MAX_BLOCKS];
    int count;
} workspace;

extern cudaError_t fem_last_error;

#define FEM_TRY(call)                       \
    do {                                    \
        cudaError_t e_ = (call);            \
        if (e_ != cudaSuccess) {            \
            fem_last_error = e_;            \
            return FEM_ECUDA;               \
        }                                   \
    } while (0)

fem_status svc_start(fem_service *svc);
fem_status svc_call(fem_service *svc, const fem_job *job);
fem_status svc_stop(fem_service *svc);

fem_status ws_open(workspace *ws);
fem_status ws_alloc(workspace *ws, size_t bytes, void **out);
fem_status ws_release(workspace *ws, void *ptr);
fem_status ws_close(workspace *ws);
