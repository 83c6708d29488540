#ifndef TCCL_CORE_H_
#define TCCL_CORE_H_

#include "tccl.h"

#include <stdint.h>

#define TCCLCHECK(call)                     \
  do {                                      \
    tcclResult_t res_ = (call);             \
    if (res_ != tcclSuccess) return res_;   \
  } while (0)

#define CUDACHECK(comm, call)               \
  do {                                      \
    cudaError_t err_ = (call);              \
    if (err_ != cudaSuccess) {              \
      (comm)->cudaError = err_;             \
      return tcclUnhandledCudaError;        \
    }                                       \
  } while (0)

#define TCCL_MAX_SLOTS 8

struct tcclSlot {
  char* host;
  cudaEvent_t filled;
  cudaEvent_t drained;
};

/* One direction between two ranks. */
struct tcclChannel {
  uint64_t step;
  int nSlots;
  struct tcclSlot slots[TCCL_MAX_SLOTS];
};

struct tcclFabric {
  int nRanks;
  int refs;
  tcclConfig_t config;
  struct tcclChannel* channels; /* [source * nRanks + destination] */
};

struct tcclComm {
  struct tcclFabric* fabric;
  int rank;
  cudaStream_t proxy; /* carries everything that this rank receives */
  cudaEvent_t fork;
  cudaEvent_t join;
  cudaError_t cudaError;
};

struct tcclTask {
  int isSend;
  char* buffer;
  size_t bytes;
  int peer;
  struct tcclComm* comm;
  cudaStream_t stream;
  int matched;
};

static inline struct tcclChannel* tcclChannelOf(struct tcclFabric* fabric, int source,
                                                int destination) {
  return fabric->channels + (size_t)source * fabric->nRanks + destination;
}

tcclResult_t tcclTransportInit(struct tcclComm* comm);
tcclResult_t tcclTransportFree(struct tcclComm* comm);

/* Receives of a group start after what their streams hold, and streams go on after the receives. */
tcclResult_t tcclTransportFork(struct tcclTask* recv);
tcclResult_t tcclTransportCopy(struct tcclTask* send, struct tcclTask* recv);
tcclResult_t tcclTransportJoin(struct tcclTask* recv);

#endif
