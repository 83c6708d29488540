// dctx: batched one-dimensional cosine transforms (DCT-II) of single precision rows.
//
// A plan describes a row length, a batch and a scaling; it holds no data. Its work goes to the stream given by
// dctx_set_stream (default: the legacy default stream) and dctx_execute returns at once. Different plans are independent
// of each other: they may be executed in different streams, and from different threads, at the same time.
// Streams under capture are not supported.
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct dctx_plan_s* dctx_plan;

typedef enum {
  DCTX_OK = 0,
  DCTX_INVALID_VALUE = 1,
  DCTX_ALLOC_FAILED = 2,
  DCTX_CUDA_ERROR = 3,
} dctx_status;

typedef enum { DCTX_SCALE_NONE = 0, DCTX_SCALE_ORTHO = 1 } dctx_scale;

typedef struct {
  int n;             // row length, at most DCTX_MAX_N
  int batch;         // rows
  int stride;        // elements between the starts of two rows; 0 means n
  dctx_scale scale;
} dctx_desc;

#define DCTX_MAX_N 4096

dctx_status dctx_plan_create(dctx_plan* plan, const dctx_desc* desc);

// The plan's work must have completed.
dctx_status dctx_plan_destroy(dctx_plan plan);

dctx_status dctx_set_stream(dctx_plan plan, cudaStream_t stream);

// in and out are device pointers and may not overlap.
dctx_status dctx_execute(dctx_plan plan, const float* in, float* out);

// Frees what the library keeps between plans. No plan may be alive.
dctx_status dctx_shutdown(void);

const char* dctx_status_string(dctx_status s);

#ifdef __cplusplus
}
#endif
