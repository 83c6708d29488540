#include "core.h"

static thread_local int groupDepth = 0;
static thread_local struct xcclShared* groupShared[16];
static thread_local int groupNShared = 0;

const char* xcclGetErrorString(xcclResult_t r) {
  switch (r) {
    case xcclSuccess: return "no error";
    case xcclUnhandledCudaError: return "unhandled cuda error";
    case xcclInternalError: return "internal error";
    case xcclInvalidArgument: return "invalid argument";
    case xcclInvalidUsage: return "invalid usage";
  }
  return "unknown result code";
}

xcclResult_t xcclCommInitAll(xcclComm_t* comms, int nranks, int device) {
  if (comms == NULL || nranks < 1 || nranks > XCCL_MAX_RANKS) return xcclInvalidArgument;
  CUDACHECK(cudaSetDevice(device));
  struct xcclShared* shared = (struct xcclShared*)calloc(1, sizeof(*shared));
  if (shared == NULL) return xcclInternalError;
  shared->device = device;
  shared->nRanks = nranks;
  shared->refs = nranks;
  CUDACHECK(cudaStreamCreateWithFlags(&shared->launchStream, cudaStreamNonBlocking));
  CUDACHECK(cudaEventCreateWithFlags(&shared->scratchEvent, cudaEventDisableTiming));
  CUDACHECK(cudaEventCreateWithFlags(&shared->doneEvent, cudaEventDisableTiming));
  for (int r = 0; r < nranks; r++) {
    struct xcclComm* c = (struct xcclComm*)calloc(1, sizeof(*c));
    if (c == NULL) return xcclInternalError;
    c->rank = r;
    c->shared = shared;
    shared->ranks[r] = c;
    comms[r] = c;
  }
  return xcclSuccess;
}

xcclResult_t xcclCommDestroyAll(xcclComm_t* comms, int nranks) {
  for (int r = 0; r < nranks; r++) {
    struct xcclShared* shared = comms[r]->shared;
    if (--shared->refs == 0) {
      CUDACHECK(cudaStreamSynchronize(shared->launchStream));
      CUDACHECK(cudaEventDestroy(shared->scratchEvent));
      CUDACHECK(cudaEventDestroy(shared->doneEvent));
      CUDACHECK(cudaStreamDestroy(shared->launchStream));
      free(shared);
    }
    free(comms[r]);
    comms[r] = NULL;
  }
  return xcclSuccess;
}

xcclResult_t xcclCommUserRank(const xcclComm_t comm, int* rank) {
  if (comm == NULL || rank == NULL) return xcclInvalidArgument;
  *rank = comm->rank;
  return xcclSuccess;
}

xcclResult_t xcclGroupStart(void) {
  groupDepth++;
  return xcclSuccess;
}

xcclResult_t xcclGroupEnd(void) {
  if (groupDepth == 0) return xcclInvalidUsage;
  if (--groupDepth > 0) return xcclSuccess;
  xcclResult_t ret = xcclSuccess;
  for (int i = 0; i < groupNShared; i++) {
    xcclResult_t r = xcclLaunchClique(groupShared[i]);
    if (r != xcclSuccess) ret = r;
  }
  groupNShared = 0;
  return ret;
}

static xcclResult_t taskAppend(xcclComm_t comm, struct xcclTask task, cudaStream_t stream) {
  if (comm == NULL || task.send == NULL || task.recv == NULL) return xcclInvalidArgument;
  struct xcclTask* t = (struct xcclTask*)malloc(sizeof(*t));
  if (t == NULL) return xcclInternalError;
  *t = task;
  t->next = NULL;
  if (comm->taskTail) comm->taskTail->next = t; else comm->taskHead = t;
  comm->taskTail = t;
  XCCLCHECK(xcclStreamListAdd(&comm->streams, stream));
  int i = 0;
  while (i < groupNShared && groupShared[i] != comm->shared) i++;
  if (i == groupNShared) {
    if (i == 16) return xcclInternalError;
    groupShared[groupNShared++] = comm->shared;
  }
  return xcclSuccess;
}

xcclResult_t xcclAllReduce(const void* send, void* recv, size_t count, xcclRedOp_t op, xcclComm_t comm, cudaStream_t stream) {
  struct xcclTask t = { xcclFuncAllReduce, send, recv, count, op, 0, NULL };
  XCCLCHECK(xcclGroupStart());
  XCCLCHECK(taskAppend(comm, t, stream));
  return xcclGroupEnd();
}

xcclResult_t xcclBroadcast(const void* send, void* recv, size_t count, int root, xcclComm_t comm, cudaStream_t stream) {
  struct xcclTask t = { xcclFuncBroadcast, send, recv, count, xcclSum, root, NULL };
  XCCLCHECK(xcclGroupStart());
  XCCLCHECK(taskAppend(comm, t, stream));
  return xcclGroupEnd();
}
