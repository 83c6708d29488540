#include "ring_kernels.cuh"

namespace ring {
namespace {

__global__ void stageKernel(const float* src, float* slot, size_t count, Mailbox* box, int rank) {
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    slot[i] = src[i];
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(&box->posted[rank], 1u);
  }
}

__global__ void collectKernel(float* dst, const float* result, size_t count, const Mailbox* box,
                              unsigned seq) {
  if (threadIdx.x == 0) {
    while (*(volatile const unsigned*)&box->done < seq) __nanosleep(200);
    __threadfence();
  }
  __syncthreads();
  for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += size_t(gridDim.x) * blockDim.x)
    dst[i] = __ldcg(result + i);
}

}  // namespace

cudaError_t launchStage(const float* src, float* slot, size_t count, Mailbox* box, int rank,
                        cudaStream_t stream) {
  stageKernel<<<kCopyBlocks, kCopyThreads, 0, stream>>>(src, slot, count, box, rank);
  return cudaGetLastError();
}

cudaError_t launchCollect(float* dst, const float* result, size_t count, const Mailbox* box,
                          unsigned seq, cudaStream_t stream) {
  collectKernel<<<kCopyBlocks, kCopyThreads, 0, stream>>>(dst, result, count, box, seq);
  return cudaGetLastError();
}

}  // namespace ring
