/* Audio effects on device buffers, after the manner of the BLAS handles. */
#ifndef FX_H
#define FX_H

#include <cuda_runtime.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct fx_context* fx_handle;

typedef enum fx_status { FX_OK = 0, FX_BAD_ARGUMENT = 1, FX_CUDA_FAILURE = 2 } fx_status;

fx_status fx_create(fx_handle* handle);
/* A second handle with the settings of the first and its own scratch memory. */
fx_status fx_clone(fx_handle* handle, fx_handle source);
fx_status fx_destroy(fx_handle handle);

fx_status fx_set_stream(fx_handle handle, cudaStream_t stream);
fx_status fx_set_gain(fx_handle handle, int gain);
fx_status fx_set_reverb_ms(fx_handle handle, int ms);

fx_status fx_reverb(fx_handle handle, int* samples, int n);
fx_status fx_peak(fx_handle handle, const int* samples, int n, int* peak);

#ifdef __cplusplus
}
#endif
#endif
