#ifndef PCCL_COMM_H_
#define PCCL_COMM_H_
#include "pccl.h"

#define PCCL_MAX_RANKS 8
#define PCCL_SLOT_ELEMS 8192

#define CUDACHECK(cmd)                                        \
  do {                                                        \
    if ((cmd) != cudaSuccess) return pcclUnhandledCudaError;  \
  } while (0)

#define PCCLCHECK(cmd)                          \
  do {                                          \
    pcclResult_t res_ = (cmd);                  \
    if (res_ != pcclSuccess) return res_;       \
  } while (0)

/* What the ranks of a communicator share on the device. */
struct pcclShared {
  unsigned ready[PCCL_MAX_RANKS];
  unsigned taken[PCCL_MAX_RANKS];
  float fifo[PCCL_MAX_RANKS][PCCL_SLOT_ELEMS];
};

struct pcclComm {
  int rank;
  int nranks;
  unsigned steps; /* steps of all collectives so far */
  pcclShared* shared;
  double* accum; /* the rank's own sums, before they are rounded */
  size_t accumElems;
};

struct pcclTask {
  const float* send;
  float* recv;
  size_t count;
  pcclComm* comm;
  cudaStream_t stream;
};

pcclResult_t pcclReserve(pcclComm* comm, size_t count);
pcclResult_t pcclLaunch(const pcclTask* task);

#endif
