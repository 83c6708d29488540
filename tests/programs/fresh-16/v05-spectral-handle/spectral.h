#ifndef SPECTRAL_H
#define SPECTRAL_H

#include <cuda_runtime_api.h>

/* Small C API for banded spectral transforms of seismic traces.
 *
 * A handle owns the tables and the scratch memory of transforms up to the
 * length it was created for.  Calls are asynchronous on the handle's stream. */

#ifdef __cplusplus
extern "C" {
#endif

typedef struct spContext* spHandle_t;

typedef enum {
    SP_SUCCESS = 0,
    SP_INVALID_VALUE = 1,
    SP_CUDA_FAILURE = 2
} spStatus_t;

spStatus_t spCreate(spHandle_t* handle, int max_length);
spStatus_t spDestroy(spHandle_t handle);
spStatus_t spSetStream(spHandle_t handle, cudaStream_t stream);
spStatus_t spSetGain(spHandle_t handle, int gain);
spStatus_t spTransform(spHandle_t handle, const int* trace, int* spectrum, int length);
const char* spLastCudaError(spHandle_t handle);

#ifdef __cplusplus
}
#endif
#endif
