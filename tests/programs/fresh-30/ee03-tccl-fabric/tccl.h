/*
 * tccl: point to point communication between ranks of one process, through pinned host memory.
 *
 * Calls between tcclGroupStart and tcclGroupEnd are queued; tcclGroupEnd enqueues the transfers.
 * All calls are asynchronous with respect to the host. When work that is enqueued later on the
 * stream of a receive runs, the data has arrived; when work enqueued later on the stream of a send
 * runs, the send buffer may be overwritten.
 */
#ifndef TCCL_H_
#define TCCL_H_

#include <cuda_runtime_api.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct tcclComm* tcclComm_t;

typedef enum {
  tcclSuccess = 0,
  tcclUnhandledCudaError = 1,
  tcclSystemError = 2,
  tcclInvalidArgument = 3,
  tcclInvalidUsage = 4
} tcclResult_t;

typedef enum { tcclUint8 = 0, tcclInt32 = 1, tcclFloat32 = 2, tcclFloat64 = 3 } tcclDataType_t;

typedef struct {
  size_t chunkBytes; /* bytes that travel in one step */
  int nSlots;        /* steps in flight between two ranks */
} tcclConfig_t;

#define TCCL_CONFIG_INITIALIZER {(size_t)128 << 10, 2}

const char* tcclGetErrorString(tcclResult_t result);
cudaError_t tcclCommGetCudaError(tcclComm_t comm);

tcclResult_t tcclCommInitAll(tcclComm_t* comms, int nRanks, const tcclConfig_t* config);
tcclResult_t tcclCommDestroy(tcclComm_t comm);
tcclResult_t tcclCommCount(tcclComm_t comm, int* count);
tcclResult_t tcclCommUserRank(tcclComm_t comm, int* rank);

tcclResult_t tcclGroupStart(void);
tcclResult_t tcclGroupEnd(void);

tcclResult_t tcclSend(const void* buffer, size_t count, tcclDataType_t type, int peer,
                      tcclComm_t comm, cudaStream_t stream);
tcclResult_t tcclRecv(void* buffer, size_t count, tcclDataType_t type, int peer, tcclComm_t comm,
                      cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
