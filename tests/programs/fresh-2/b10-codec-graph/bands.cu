#include "bands.cuh"
#include "fail.h"

namespace codec {

__global__ void splitKernel(const float* pcm, float* band, int n, int index) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) band[i] = pcm[i] * static_cast<float>(index + 1);
}

__global__ void quantiseKernel(const float* bands, const float* table, int* out, int n, int count) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float sum = 0.0f;
    for (int b = 0; b < count; ++b) sum += bands[b * n + i];
    out[i] += static_cast<int>(sum * table[i % 32]);
}

void splitBand(cudaStream_t s, const float* pcm, float* band, int n, int index) {
    splitKernel<<<(n + 255) / 256, 256, 0, s>>>(pcm, band, n, index);
    run(cudaGetLastError());
}

void quantise(cudaStream_t s, const float* bands, const float* table, int* out, int n, int count) {
    quantiseKernel<<<(n + 255) / 256, 256, 0, s>>>(bands, table, out, n, count);
    run(cudaGetLastError());
}

}  // namespace codec
