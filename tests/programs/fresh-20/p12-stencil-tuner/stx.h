/* stx: seven-point smoothing of three-dimensional fields, with several kernels to choose from.
 *
 * stx_tune measures every variant on the given fields in the handle's stream, picks the fastest for this extent and
 * returns when it is done; stx_get_time tells the milliseconds that one sweep of a variant took. The measurements are
 * kept for the process: handles of the same extent share them. stx_sweep queues one sweep and returns at once.
 */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct stx_handle_s* stx_handle;

typedef enum {
  STX_OK = 0,
  STX_BAD_PARAM = 1,
  STX_NOT_TUNED = 2,
  STX_NO_MEMORY = 3,
  STX_CUDA_FAILURE = 4
} stx_status;

typedef struct {
  int nx, ny, nz;     /* extent, x fastest */
  int smooth_steps;   /* relaxations of a point in a sweep */
  int tune_warmups;   /* sweeps before a measurement */
  int tune_sweeps;    /* sweeps of a measurement */
} stx_options;

void stx_options_init(stx_options* options);
stx_status stx_create(stx_handle* handle, const stx_options* options);
stx_status stx_destroy(stx_handle handle);
stx_status stx_set_stream(stx_handle handle, cudaStream_t stream);

int stx_variant_count(void);
const char* stx_variant_name(int variant);

stx_status stx_tune(stx_handle handle, const float* in, float* out, int* best);
stx_status stx_get_time(stx_handle handle, int variant, float* milliseconds);
stx_status stx_forget(stx_handle handle); /* drops the measurements of this extent */

/* Uses the tuned variant, or the first. */
stx_status stx_sweep(stx_handle handle, const float* in, float* out);

const char* stx_status_name(stx_status status);

#ifdef __cplusplus
}
#endif
