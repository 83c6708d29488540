#ifndef XCCL_H_
#define XCCL_H_
/* xccl: collectives among ranks of one process that share a device */
#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XCCL_MAX_RANKS 8

typedef struct xcclComm* xcclComm_t;

typedef enum { xcclSuccess = 0, xcclUnhandledCudaError = 1, xcclInternalError = 2, xcclInvalidArgument = 3, xcclInvalidUsage = 4 } xcclResult_t;
typedef enum { xcclSum = 0, xcclMax = 1, xcclNumOps = 2 } xcclRedOp_t;

const char* xcclGetErrorString(xcclResult_t result);
xcclResult_t xcclCommInitAll(xcclComm_t* comms, int nranks, int device);
xcclResult_t xcclCommDestroyAll(xcclComm_t* comms, int nranks);
xcclResult_t xcclCommUserRank(const xcclComm_t comm, int* rank);

/* Every rank enqueues the operation in a stream of its own, inside a group. */
xcclResult_t xcclAllReduce(const void* sendbuff, void* recvbuff, size_t count, xcclRedOp_t op, xcclComm_t comm, cudaStream_t stream);
xcclResult_t xcclBroadcast(const void* sendbuff, void* recvbuff, size_t count, int root, xcclComm_t comm, cudaStream_t stream);

xcclResult_t xcclGroupStart(void);
xcclResult_t xcclGroupEnd(void);

#ifdef __cplusplus
}
#endif
#endif
