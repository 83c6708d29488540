#ifndef CHORUS_COMM_H_
#define CHORUS_COMM_H_

#include "chorus.h"

#define CHORUS_MAX_RANKS 4
#define CHORUS_CHANNELS 4
#define CHORUS_SLOT_BYTES (1 << 16)
#define CHORUS_INIT_SCRATCH (1 << 18)

extern thread_local cudaError_t chorusLastCudaError;

#define CUDACHECK(cmd) do { \
    cudaError_t err = (cmd); \
    if (err != cudaSuccess) { chorusLastCudaError = err; return chorusUnhandledCudaError; } \
  } while (0)
#define CHORUSCHECK(call) do { \
    chorusResult_t res = (call); \
    if (res != chorusSuccess) return res; \
  } while (0)

/* What the kernels see. Slots and step counters are read by the peers. */
struct chorusDevComm {
  int rank;
  int nRanks;
  char* slots[CHORUS_MAX_RANKS];
  unsigned* posted[CHORUS_MAX_RANKS];
  unsigned* consumed[CHORUS_MAX_RANKS];
};

struct chorusComm {
  struct chorusDevComm dev;
  void* scratch;
  size_t scratchBytes;
};

struct chorusInfo {
  const void* sendbuff;
  void* recvbuff;
  size_t count;
  chorusDataType_t datatype;
  chorusRedOp_t op;
  chorusComm_t comm;
  cudaStream_t stream;
};

chorusResult_t chorusInitKernelsForDevice();
chorusResult_t chorusLaunchPrepare(struct chorusInfo* info);
chorusResult_t chorusLaunchKernel(struct chorusInfo* info);
chorusResult_t chorusEnqueueCheck(struct chorusInfo* info);

#endif
