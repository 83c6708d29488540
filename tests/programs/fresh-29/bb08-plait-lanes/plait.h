/* plait: envelope statistics of long sample records, several at a time. C interface.
 *
 * A handle has a number of lanes. Requests of one lane run in order, requests of different lanes run
 * side by side. plait_submit() returns at once and the result is in *h_result after plait_wait().
 */
#ifndef PLAIT_H
#define PLAIT_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct plait_ctx* plait_handle;

typedef enum plait_status {
  PLAIT_OK = 0,
  PLAIT_INVALID = 1,
  PLAIT_CUDA_FAILURE = 2
} plait_status;

typedef struct plait_options {
  unsigned window;    /* samples per envelope window */
  unsigned refine_us; /* time given to the fit of each window group */
} plait_options;

plait_status plait_create(plait_handle* out, int lanes, const plait_options* options);
plait_status plait_destroy(plait_handle h);

/* Sets the lanes up for records of up to max_samples, so that such records need no further memory. */
plait_status plait_reserve(plait_handle h, size_t max_samples);

/* Pinned host memory for results. */
plait_status plait_alloc_results(plait_handle h, size_t count, float** out);
plait_status plait_free_results(plait_handle h, float* results);

/* Queues one record. h_result: from plait_alloc_results. */
plait_status plait_submit(plait_handle h, int lane, const float* d_samples, size_t n, float* h_result);

plait_status plait_wait(plait_handle h, int lane);
plait_status plait_wait_all(plait_handle h);

/* The stream of a lane, for the caller's own work before or after requests. */
plait_status plait_get_stream(plait_handle h, int lane, cudaStream_t* out);

/* The last CUDA error seen by this handle. */
cudaError_t plait_cuda_error(plait_handle h);

#ifdef __cplusplus
}
#endif

#endif
