#ifndef PCCL_H_
#define PCCL_H_
#include <cuda_runtime.h>
#include <stddef.h>

/* Collectives between the ranks of one process. */

typedef enum {
  pcclSuccess = 0,
  pcclUnhandledCudaError = 1,
  pcclInvalidArgument = 2,
  pcclInvalidUsage = 3
} pcclResult_t;

typedef struct pcclComm* pcclComm_t;

const char* pcclGetErrorString(pcclResult_t result);

pcclResult_t pcclCommInitAll(pcclComm_t* comms, int nranks);
pcclResult_t pcclCommDestroyAll(pcclComm_t* comms, int nranks);

/* Calls between Start and End are issued together at End. */
pcclResult_t pcclGroupStart();
pcclResult_t pcclGroupEnd();

/* recv := sum over the ranks of send; recv may be send. */
pcclResult_t pcclAllReduce(const float* send, float* recv, size_t count,
                           pcclComm_t comm, cudaStream_t stream);

#endif
