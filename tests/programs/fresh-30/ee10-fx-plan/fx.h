/**
 * fx: batched one-dimensional complex transforms.
 *
 * Plans belong to a context. All plans of a context use one work area, which grows with the
 * largest plan. Execution is asynchronous on the stream of the plan (fxSetStream); plans of one
 * context may be set to different streams, and a plan may change its stream between executions.
 * A context may be used from one host thread at a time.
 */
#ifndef FX_H_
#define FX_H_

#include <cuComplex.h>
#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum fxResult_t {
    FX_SUCCESS        = 0,
    FX_INVALID_VALUE  = 1,
    FX_INVALID_SIZE   = 2,
    FX_ALLOC_FAILED   = 3,
    FX_EXEC_FAILED    = 4,
    FX_INTERNAL_ERROR = 5
} fxResult;

typedef struct fxContext_st* fxContext;
typedef struct fxPlan_st*    fxPlan;

#define FX_FORWARD (-1)
#define FX_INVERSE 1

const char* fxResultName(fxResult result);

fxResult fxContextCreate(fxContext* context);
fxResult fxContextDestroy(fxContext context);
fxResult fxContextGetWorkSize(fxContext context, size_t* bytes);

/** `n` is a power of two of at least 2. */
fxResult fxPlan1d(fxContext context, fxPlan* plan, int n, int batch);
fxResult fxDestroy(fxPlan plan);
fxResult fxSetStream(fxPlan plan, cudaStream_t stream);

/** In place. The inverse is not normalised. */
fxResult fxExecC2C(fxPlan plan, cuFloatComplex* data, int direction);

/** In place: data[i] *= factor, for the whole batch. */
fxResult fxScale(fxPlan plan, cuFloatComplex* data, float factor);

#ifdef __cplusplus
}
#endif
#endif
