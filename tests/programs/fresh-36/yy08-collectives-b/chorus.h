/* chorus: collectives between the ranks of one process. Public interface. */
#ifndef CHORUS_H_
#define CHORUS_H_

#include <cuda_runtime.h>

typedef struct chorusComm* chorusComm_t;
typedef enum { chorusSuccess = 0, chorusUnhandledCudaError = 1, chorusInvalidArgument = 2, chorusInvalidUsage = 3 } chorusResult_t;
typedef enum { chorusInt32 = 0, chorusFloat32 = 1, chorusNumTypes = 2 } chorusDataType_t;
typedef enum { chorusSum = 0, chorusMax = 1, chorusNumOps = 2 } chorusRedOp_t;

chorusResult_t chorusCommInitAll(chorusComm_t* comms, int nranks);
chorusResult_t chorusCommDestroy(chorusComm_t comm);
chorusResult_t chorusAllReduce(const void* sendbuff, void* recvbuff, size_t count, chorusDataType_t datatype,
                               chorusRedOp_t op, chorusComm_t comm, cudaStream_t stream);
chorusResult_t chorusGroupStart();
chorusResult_t chorusGroupEnd();
const char* chorusGetLastError();

#endif
