#include "comm.h"

namespace {

__device__ void publish(unsigned* flag, unsigned value) {
  __threadfence();
  atomicExch(flag, value);
}

__device__ void await(const unsigned* flag, unsigned value) {
  const volatile unsigned* f = flag;
  while (int(*f - value) < 0) {
  }
  __threadfence();
}

/* One block per rank: through the shared slots, a piece at a time. */
__global__ void allReduceKernel(pcclShared* shared, int rank, int nranks,
                                unsigned step, const float* send, float* recv,
                                double* accum, size_t count) {
  const unsigned tid = threadIdx.x;
  for (size_t base = 0; base < count; base += PCCL_SLOT_ELEMS) {
    const size_t left = count - base;
    const unsigned n = left < PCCL_SLOT_ELEMS ? left : PCCL_SLOT_ELEMS;
    ++step;

    for (unsigned i = tid; i < n; i += blockDim.x)
      shared->fifo[rank][i] = send[base + i];
    __threadfence();
    __syncthreads();
    if (tid == 0) publish(&shared->ready[rank], step);
    if (tid < nranks) await(&shared->ready[tid], step);
    __syncthreads();

    for (unsigned i = tid; i < n; i += blockDim.x) {
      double sum = 0;
      for (int r = 0; r < nranks; ++r) sum += __ldcg(&shared->fifo[r][i]);
      accum[base + i] = sum;
    }
    __syncthreads();
    if (tid == 0) publish(&shared->taken[rank], step);
    if (tid < nranks) await(&shared->taken[tid], step);
    __syncthreads();
  }
  for (size_t i = tid; i < count; i += blockDim.x) recv[i] = float(accum[i]);
}

}  // namespace

pcclResult_t pcclLaunch(const pcclTask* task) {
  pcclComm* comm = task->comm;
  allReduceKernel<<<1, 512, 0, task->stream>>>(
      comm->shared, comm->rank, comm->nranks, comm->steps, task->send,
      task->recv, comm->accum, task->count);
  CUDACHECK(cudaGetLastError());
  comm->steps +=
      unsigned((task->count + PCCL_SLOT_ELEMS - 1) / PCCL_SLOT_ELEMS);
  return pcclSuccess;
}
