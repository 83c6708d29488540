#ifndef GCL_H_
#define GCL_H_
/* Group collectives over the virtual ranks of one device. */
#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct gclComm* gclComm_t;

typedef enum { gclSuccess = 0, gclCudaError = 1, gclInvalidArgument = 2, gclOutOfMemory = 3 } gclResult_t;
typedef enum { gclSum = 0, gclMax = 1, gclMin = 2 } gclRedOp_t;

typedef struct {
  int ranks;
  int channels;     /* 1..8 */
  size_t max_count; /* largest count of a call, in elements */
} gclConfig_t;

gclResult_t gclCommCreate(gclComm_t* comm, const gclConfig_t* config);
gclResult_t gclCommDestroy(gclComm_t comm);
cudaError_t gclLastCudaError(gclComm_t comm);
const char* gclGetErrorString(gclResult_t r);

/* Reduces send[0..ranks-1] element by element and leaves the result in every recv[r].
 * Asynchronous: reads and writes happen in the order of `stream`, as if the call were one kernel there. */
gclResult_t gclAllReduce(const float* const* send, float* const* recv, size_t count, gclRedOp_t op, gclComm_t comm,
                         cudaStream_t stream);

/* Copies `send` to every recv[r]; same ordering as above. */
gclResult_t gclBroadcast(const float* send, float* const* recv, size_t count, gclComm_t comm, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
