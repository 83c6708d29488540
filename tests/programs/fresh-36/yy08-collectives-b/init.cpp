#include "comm.h"

#include <new>

static chorusResult_t commAlloc(chorusComm_t comm, int rank, int nranks) {
  char* counters = nullptr;
  comm->dev.rank = rank;
  comm->dev.nRanks = nranks;
  CUDACHECK(cudaMalloc((void**)&comm->dev.slots[rank], CHORUS_CHANNELS * CHORUS_SLOT_BYTES));
  CUDACHECK(cudaMalloc((void**)&counters, 2 * CHORUS_CHANNELS * sizeof(unsigned)));
  CUDACHECK(cudaMemset(counters, 0, 2 * CHORUS_CHANNELS * sizeof(unsigned)));
  comm->dev.posted[rank] = (unsigned*)counters;
  comm->dev.consumed[rank] = (unsigned*)counters + CHORUS_CHANNELS;
  CUDACHECK(cudaMalloc(&comm->scratch, CHORUS_INIT_SCRATCH));
  comm->scratchBytes = CHORUS_INIT_SCRATCH;
  return chorusSuccess;
}

chorusResult_t chorusCommInitAll(chorusComm_t* comms, int nranks) {
  if (nranks < 1 || nranks > CHORUS_MAX_RANKS) return chorusInvalidArgument;
  CHORUSCHECK(chorusInitKernelsForDevice());
  for (int r = 0; r < nranks; ++r) {
    comms[r] = new (std::nothrow) chorusComm();
    CHORUSCHECK(commAlloc(comms[r], r, nranks));
  }
  for (int r = 0; r < nranks; ++r) {
    for (int p = 0; p < nranks; ++p) {
      comms[r]->dev.slots[p] = comms[p]->dev.slots[p];
      comms[r]->dev.posted[p] = comms[p]->dev.posted[p];
      comms[r]->dev.consumed[p] = comms[p]->dev.consumed[p];
    }
  }
  CUDACHECK(cudaDeviceSynchronize());
  return chorusSuccess;
}

chorusResult_t chorusCommDestroy(chorusComm_t comm) {
  if (comm == nullptr) return chorusSuccess;
  CUDACHECK(cudaFree(comm->scratch));
  CUDACHECK(cudaFree(comm->dev.slots[comm->dev.rank]));
  CUDACHECK(cudaFree(comm->dev.posted[comm->dev.rank]));
  delete comm;
  return chorusSuccess;
}

const char* chorusGetLastError() { return cudaGetErrorName(chorusLastCudaError); }
