/* Accumulation of half-finished gradients into fp32 masters, next to the backward pass.
 *
 * The producer pushes each parameter's gradient right after the kernels that write it have been enqueued in the
 * producer's stream. Pushes are collected into buckets; a full bucket is unscaled and added to its masters in a
 * stream of the reducer's own, while the backward pass goes on. gb_flush() sends what is left.
 *
 *     for each micro batch:
 *         for each layer, last to first:
 *             backward<<<..., stream>>>(grad[layer]);
 *             gb_push(r, param[layer], grad[layer], stream);
 *         gb_flush(r);
 *         gb_join(r, stream);
 *
 * A parameter is pushed at most once between two flushes. After gb_join() work in `stream` may
 * read the masters and overwrite the gradients. All calls for one reducer come from one host thread with one
 * and the same stream. No call waits for the device, except gb_destroy().
 */
#ifndef GRADBUCKET_H
#define GRADBUCKET_H

#include <cuda_runtime.h>

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gb_reducer gb_reducer;

typedef enum {
    GB_OK = 0,
    GB_ARGUMENT,
    GB_MEMORY,
    GB_CUDA
} gb_status;

typedef struct {
    float *master;  /* on the device */
    size_t count;
} gb_param;

typedef struct {
    int max_params;      /* parameters that may be registered */
    size_t bucket_bytes; /* a bucket is full from here on */
    float inv_scale;     /* gradients are multiplied by this */
} gb_options;

gb_status gb_create(gb_reducer **out, const gb_options *options);
gb_status gb_register(gb_reducer *r, gb_param param, int *id);
gb_status gb_push(gb_reducer *r, int id, const float *grad, cudaStream_t stream);
gb_status gb_flush(gb_reducer *r);
gb_status gb_join(gb_reducer *r, cudaStream_t stream);
void gb_destroy(gb_reducer *r);

/* The CUDA error behind the last GB_CUDA. */
cudaError_t gb_cuda_error(const gb_reducer *r);

#ifdef __cplusplus
}
#endif

#endif
