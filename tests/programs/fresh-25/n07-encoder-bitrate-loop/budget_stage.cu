#include "codec_api.h"

namespace codec {

namespace {

__device__ unsigned framesPlanned;

// Measures the activity of a frame and publishes its quantizer.
__global__ void planBudget(const unsigned char* luma, FrameControl* control, int pixels,
                           unsigned targetBits) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    unsigned mine = 0;
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) mine += luma[i];
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        volatile FrameControl* shared = control;
        shared->quantizer = chooseQuantizer(sum, targetBits);
        atomicAdd(&framesPlanned, 1u);
        __threadfence();
        shared->budgetReady = 1;
    }
}

}  // namespace

cudaError_t launchBudget(const unsigned char* luma, FrameControl* control, int pixels,
                         unsigned targetBits, cudaStream_t stream) {
    planBudget<<<1, 256, 0, stream>>>(luma, control, pixels, targetBits);
    return cudaGetLastError();
}

}  // namespace codec
