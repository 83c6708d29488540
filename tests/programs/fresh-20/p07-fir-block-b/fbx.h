/* fbx: block-wise FIR filtering of many channels.
 *
 * A filter keeps the last taps-1 samples of every channel, so that consecutive blocks are filtered as one signal. Blocks
 * go to the filter's stream, in the order of their calls; every call returns at once.
 *
 * fbx_process and fbx_reset allocate nothing and may be captured: a graph that holds them takes the filter forward by
 * its blocks at every launch, from where the launch or call before it left off.
 *
 * Samples are float, channel after channel, block samples each. fbx_set_stream is called while the filter is idle.
 */
#pragma once

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fbx_filter_s* fbx_filter;

typedef enum {
  FBX_STATUS_SUCCESS = 0,
  FBX_STATUS_NOT_INITIALIZED = 1,
  FBX_STATUS_INVALID_VALUE = 2,
  FBX_STATUS_ALLOC_FAILED = 3,
  FBX_STATUS_EXECUTION_FAILED = 4
} fbx_status;

typedef enum { FBX_GAIN_UNITY = 0, FBX_GAIN_DC = 1 } fbx_gain_mode;

typedef struct {
  int channels;
  int block;           /* samples of a channel in a call */
  int taps;            /* at least 2, at most FBX_MAX_TAPS and block + 1 */
  fbx_gain_mode gain;  /* FBX_GAIN_DC scales the taps to sum 1 */
} fbx_config;

#define FBX_MAX_TAPS 256

fbx_status fbx_create(fbx_filter* filter, const fbx_config* config, const float* taps /* host */);
fbx_status fbx_destroy(fbx_filter filter);
fbx_status fbx_set_stream(fbx_filter filter, cudaStream_t stream);
fbx_status fbx_get_stream(fbx_filter filter, cudaStream_t* stream);

/* Forgets the signal so far. */
fbx_status fbx_reset(fbx_filter filter);

/* in and out may not overlap. */
fbx_status fbx_process(fbx_filter filter, const float* in, float* out);

const char* fbx_get_error_string(fbx_status status);

#ifdef __cplusplus
}
#endif
