#include "ring_kernels.cuh"

namespace ring {
namespace {

// One block serves all collectives of a communicator until it is told to stop.
__global__ void progressKernel(Mailbox* box, const float* slots, float* result,
                               const size_t* counts, size_t stride, int ranks, const int* stop) {
  __shared__ int quit;
  for (unsigned seq = 1;; ++seq) {
    if (threadIdx.x == 0) {
      quit = 0;
      for (int r = 0; r < ranks && !quit; ++r) {
        volatile unsigned* p = &box->posted[r];
        while (*p < seq * kCopyBlocks) {
          if (*(volatile const int*)stop) {
            quit = 1;
            break;
          }
          __nanosleep(200);
        }
      }
      __threadfence();
    }
    __syncthreads();
    if (quit) return;
    size_t count = *(volatile const size_t*)(counts + seq % 64);
    for (size_t i = threadIdx.x; i < count; i += blockDim.x) {
      float sum = 0.f;
      for (int r = 0; r < ranks; ++r) sum += __ldcg(slots + r * stride + i);
      result[i] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      __threadfence();
      *(volatile unsigned*)&box->done = seq;
    }
  }
}

}  // namespace

cudaError_t launchProgress(Mailbox* box, const float* slots, float* result, const size_t* counts,
                           size_t stride, int ranks, const int* stop, cudaStream_t stream) {
  progressKernel<<<1, 512, 0, stream>>>(box, slots, result, counts, stride, ranks, stop);
  return cudaGetLastError();
}

}  // namespace ring
