#pragma once

#include "comm.h"

template <typename T> struct FuncSum { __device__ T operator()(T a, T b) const { return a + b; } };
template <typename T> struct FuncMax { __device__ T operator()(T a, T b) const { return a > b ? a : b; } };

__device__ inline void waitStep(const unsigned* counter, unsigned step) {
  while (*reinterpret_cast<const volatile unsigned*>(counter) < step) {}
}

/* One block is one channel. A channel's part of the data goes through its slot piece by piece:
 * each rank posts its piece, combines the pieces of all ranks and reports them as consumed. */
template <typename T, typename RedOp>
__global__ void chorusDevKernelAllReduce(chorusDevComm comm, const T* send, T* recv, T* scratch, size_t count) {
  const size_t slotElems = CHORUS_SLOT_BYTES / sizeof(T);
  const int channel = blockIdx.x;
  const RedOp op{};
  unsigned step = comm.posted[comm.rank][channel];
  T* const mine = reinterpret_cast<T*>(comm.slots[comm.rank] + (size_t)channel * CHORUS_SLOT_BYTES);
  __syncthreads();

  for (size_t base = channel * slotElems; base < count; base += gridDim.x * slotElems, ++step) {
    const size_t n = count - base < slotElems ? count - base : slotElems;
    if (threadIdx.x < comm.nRanks) waitStep(comm.consumed[threadIdx.x] + channel, step);
    __syncthreads();
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) mine[i] = send[base + i];
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(comm.posted[comm.rank] + channel, step + 1);
    if (threadIdx.x < comm.nRanks) waitStep(comm.posted[threadIdx.x] + channel, step + 1);
    __threadfence();
    __syncthreads();
    for (size_t i = threadIdx.x; i < n; i += blockDim.x) {
      T acc = __ldcg(reinterpret_cast<T*>(comm.slots[0] + (size_t)channel * CHORUS_SLOT_BYTES) + i);
      for (int r = 1; r < comm.nRanks; ++r)
        acc = op(acc, __ldcg(reinterpret_cast<T*>(comm.slots[r] + (size_t)channel * CHORUS_SLOT_BYTES) + i));
      scratch[base + i] = acc;
    }
    __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) atomicExch(comm.consumed[comm.rank] + channel, step + 1);
  }
  for (size_t base = channel * slotElems; base < count; base += gridDim.x * slotElems)
    for (size_t i = threadIdx.x; i < slotElems && base + i < count; i += blockDim.x) recv[base + i] = scratch[base + i];
}
