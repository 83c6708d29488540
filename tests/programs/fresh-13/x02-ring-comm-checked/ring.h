/* ring.h - in-process collective communication, C interface. */
#ifndef RING_H
#define RING_H

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ringComm* ringComm_t;

typedef enum {
  ringSuccess = 0,
  ringInvalidArgument = 1,
  ringCudaFailure = 2
} ringResult_t;

typedef struct {
  int ranks;        /* logical peers, 1..8                        */
  size_t maxCount;  /* largest element count of one collective    */
} ringConfig_t;

ringResult_t ringCommCreate(ringComm_t* comm, const ringConfig_t* config);
ringResult_t ringCommDestroy(ringComm_t comm);

/* In place sum over all ranks. Asynchronous: rank r's part is ordered in streams[r]. */
ringResult_t ringAllReduce(ringComm_t comm, float* const* buffers, size_t count,
                           const cudaStream_t* streams);

/* The last CUDA error seen by the library on this communicator. */
cudaError_t ringLastCudaError(ringComm_t comm);

#ifdef __cplusplus
}
#endif
#endif
