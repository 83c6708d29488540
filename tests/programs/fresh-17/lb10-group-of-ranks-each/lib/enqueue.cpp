#include "core.h"

xcclResult_t xcclStreamListAdd(struct xcclStreamList** list, cudaStream_t stream) {
  for (struct xcclStreamList* l = *list; l != NULL; l = l->next) {
    if (l->stream == stream) return xcclSuccess;
  }
  struct xcclStreamList* n = (struct xcclStreamList*)malloc(sizeof(*n));
  if (n == NULL) return xcclInternalError;
  n->stream = stream;
  n->next = *list;
  *list = n;
  return xcclSuccess;
}

void xcclStreamListFree(struct xcclStreamList** list) {
  while (*list) {
    struct xcclStreamList* n = (*list)->next;
    free(*list);
    *list = n;
  }
}

static xcclResult_t collectStreams(struct xcclShared* shared, struct xcclStreamList** all) {
  for (int r = 0; r < shared->nRanks; r++) {
    for (struct xcclStreamList* l = shared->ranks[r]->streams; l != NULL; l = l->next) {
      XCCLCHECK(xcclStreamListAdd(all, l->stream));
    }
  }
  return xcclSuccess;
}

static xcclResult_t launchPrepare(struct xcclShared* shared, struct xcclStreamList* all) {
  /* the launch stream comes behind the user's streams */
  for (struct xcclStreamList* l = all; l != NULL; l = l->next) {
    CUDACHECK(cudaEventRecord(shared->scratchEvent, l->stream));
    CUDACHECK(cudaStreamWaitEvent(shared->launchStream, shared->scratchEvent, 0));
  }
  return xcclSuccess;
}

static xcclResult_t launchFinish(struct xcclShared* shared, struct xcclStreamList* all) {
  CUDACHECK(cudaEventRecord(shared->doneEvent, shared->launchStream));
  for (struct xcclStreamList* l = all; l != NULL; l = l->next) {
    CUDACHECK(cudaStreamWaitEvent(l->stream, shared->doneEvent, 0));
  }
  return xcclSuccess;
}

static xcclResult_t popMatching(struct xcclShared* shared, struct xcclKernelArgs* args, enum xcclFunc* func, xcclRedOp_t* op) {
  for (int r = 0; r < shared->nRanks; r++) {
    struct xcclComm* comm = shared->ranks[r];
    struct xcclTask* t = comm->taskHead;
    if (t == NULL) return xcclInvalidUsage;
    if (r == 0) {
      *func = t->func;
      *op = t->op;
      args->count = t->count;
      args->root = t->root;
      args->nRanks = shared->nRanks;
    } else if (t->func != *func || t->count != args->count || t->op != *op || t->root != args->root) {
      return xcclInvalidUsage;
    }
    args->send[r] = (const float*)t->send;
    args->recv[r] = (float*)t->recv;
    comm->taskHead = t->next;
    if (comm->taskHead == NULL) comm->taskTail = NULL;
    free(t);
  }
  return xcclSuccess;
}

xcclResult_t xcclLaunchClique(struct xcclShared* shared) {
  xcclResult_t ret = xcclSuccess;
  struct xcclStreamList* all = NULL;
  CUDACHECK(cudaSetDevice(shared->device));
  XCCLCHECKGOTO(collectStreams(shared, &all), ret, end);
  XCCLCHECKGOTO(launchPrepare(shared, all), ret, end);
  while (shared->ranks[0]->taskHead != NULL) {
    struct xcclKernelArgs args = {};
    enum xcclFunc func = xcclFuncAllReduce;
    xcclRedOp_t op = xcclSum;
    XCCLCHECKGOTO(popMatching(shared, &args, &func, &op), ret, end);
    XCCLCHECKGOTO(xcclLaunchKernel(func, op, &args, shared->launchStream), ret, end);
  }
  XCCLCHECKGOTO(launchFinish(shared, all), ret, end);
end:
  for (int r = 0; r < shared->nRanks; r++) xcclStreamListFree(&shared->ranks[r]->streams);
  xcclStreamListFree(&all);
  return ret;
}
