#ifndef XCCL_CORE_H_
#define XCCL_CORE_H_
#include "xccl.h"
#include <stdio.h>
#include <stdlib.h>

#define CUDACHECK(cmd) do {                                                   \
    cudaError_t err = cmd;                                                    \
    if (err != cudaSuccess) {                                                 \
      fprintf(stderr, "xccl WARN %s:%d Cuda failure '%s'\n", __FILE__, __LINE__, cudaGetErrorString(err)); \
      return xcclUnhandledCudaError;                                          \
    }                                                                         \
  } while (0)

#define XCCLCHECK(call) do { xcclResult_t res_ = (call); if (res_ != xcclSuccess) return res_; } while (0)
#define XCCLCHECKGOTO(call, res, label) do { res = (call); if (res != xcclSuccess) goto label; } while (0)

enum xcclFunc { xcclFuncAllReduce, xcclFuncBroadcast };

struct xcclTask {
  enum xcclFunc func;
  const void* send;
  void* recv;
  size_t count;
  xcclRedOp_t op;
  int root;
  struct xcclTask* next;
};

struct xcclStreamList {
  cudaStream_t stream;
  struct xcclStreamList* next;
};

/* what the ranks of one clique share */
struct xcclShared {
  int device;
  int nRanks;
  int refs;
  cudaStream_t launchStream;
  cudaEvent_t scratchEvent;
  cudaEvent_t doneEvent;
  struct xcclComm* ranks[XCCL_MAX_RANKS];
};

struct xcclComm {
  int rank;
  struct xcclShared* shared;
  struct xcclTask* taskHead;
  struct xcclTask* taskTail;
  struct xcclStreamList* streams;   /* distinct user streams of this group */
};

struct xcclKernelArgs {
  const float* send[XCCL_MAX_RANKS];
  float* recv[XCCL_MAX_RANKS];
  size_t count;
  int nRanks;
  int root;
};

xcclResult_t xcclLaunchKernel(enum xcclFunc func, xcclRedOp_t op, const struct xcclKernelArgs* args, cudaStream_t stream);
xcclResult_t xcclStreamListAdd(struct xcclStreamList** list, cudaStream_t stream);
void xcclStreamListFree(struct xcclStreamList** list);
xcclResult_t xcclLaunchClique(struct xcclShared* shared);
#endif
