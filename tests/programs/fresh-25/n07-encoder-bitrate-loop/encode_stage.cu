#include "codec_api.h"

namespace codec {

namespace {

// Transforms tiles at once and quantizes them as soon as the frame has its budget.
__global__ void encodeTiles(const unsigned char* luma, unsigned char* coded,
                            FrameControl* control, int pixels) {
    __shared__ unsigned quantizer;
    if (threadIdx.x == 0) {
        volatile FrameControl* shared = control;
        while (shared->budgetReady == 0) __nanosleep(500);
        __threadfence();
        quantizer = shared->quantizer;
    }
    __syncthreads();
    int stride = gridDim.x * blockDim.x;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < pixels; i += stride) {
        coded[i] = static_cast<unsigned char>(luma[i] / quantizer);
    }
}

}  // namespace

cudaError_t launchEncode(const unsigned char* luma, unsigned char* coded, FrameControl* control,
                         int pixels, cudaStream_t stream) {
    encodeTiles<<<16, 256, 0, stream>>>(luma, coded, control, pixels);
    return cudaGetLastError();
}

}  // namespace codec
