#include "comm.h"

static const size_t kInitialElems = 4096;

const char* pcclGetErrorString(pcclResult_t result) {
  switch (result) {
    case pcclSuccess:
      return "pcclSuccess";
    case pcclUnhandledCudaError:
      return cudaGetErrorName(cudaPeekAtLastError());
    case pcclInvalidArgument:
      return "pcclInvalidArgument";
    default:
      return "pcclInvalidUsage";
  }
}

pcclResult_t pcclCommInitAll(pcclComm_t* comms, int nranks) {
  if (nranks < 1 || nranks > PCCL_MAX_RANKS) return pcclInvalidArgument;
  pcclShared* shared = nullptr;
  CUDACHECK(cudaMalloc((void**)&shared, sizeof(*shared)));
  CUDACHECK(cudaMemset(shared, 0, sizeof(*shared)));
  for (int r = 0; r < nranks; ++r) {
    pcclComm* comm = new pcclComm();
    comm->rank = r;
    comm->nranks = nranks;
    comm->shared = shared;
    PCCLCHECK(pcclReserve(comm, kInitialElems));
    comms[r] = comm;
  }
  CUDACHECK(cudaDeviceSynchronize());
  return pcclSuccess;
}

pcclResult_t pcclCommDestroyAll(pcclComm_t* comms, int nranks) {
  CUDACHECK(cudaDeviceSynchronize());
  CUDACHECK(cudaFree(comms[0]->shared));
  for (int r = 0; r < nranks; ++r) {
    CUDACHECK(cudaFree(comms[r]->accum));
    delete comms[r];
    comms[r] = nullptr;
  }
  return pcclSuccess;
}

/* Makes room for the sums of `count` elements. */
pcclResult_t pcclReserve(pcclComm* comm, size_t count) {
  if (count <= comm->accumElems) return pcclSuccess;
  if (comm->accum) CUDACHECK(cudaFree(comm->accum));
  comm->accum = nullptr;
  comm->accumElems = 0;
  CUDACHECK(cudaMalloc((void**)&comm->accum, count * sizeof(double)));
  comm->accumElems = count;
  return pcclSuccess;
}
