#include "helper_sample.h"
#include "tileBlend.h"

__device__ __forceinline__ unsigned long long nanoTime() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void blurRowsKernel(float *blurred, const float *image, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    if (x >= width || y >= height) return;
    const float *row = image + y * width;
    const float left = row[max(x - 1, 0)];
    const float right = row[min(x + 1, width - 1)];
    blurred[y * width + x] = 0.25f * left + 0.5f * row[x] + 0.25f * right;
}

// Refines the weight until the time budget of the tile is used up, then applies the mask.
__global__ void unsharpKernel(float *result, const float *image, const float *blurred, int width,
                              int height, float amount, int workMicros) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x;
    const int y = blockIdx.y;
    const unsigned long long start = nanoTime();
    float weight = 1.0f;
    while (nanoTime() - start < 1000ull * workMicros) {
        weight = 0.5f * (weight + 1.0f / weight);
    }
    if (x >= width || y >= height) return;
    const int i = y * width + x;
    const float pixel = image[i];
    result[i] = pixel + weight * amount * (pixel - blurred[i]);
}

void launchBlurRows(float *blurred, const float *image, TileShape shape, cudaStream_t stream) {
    const dim3 block(256);
    const dim3 grid((shape.width + block.x - 1) / block.x, shape.height);
    blurRowsKernel<<<grid, block, 0, stream>>>(blurred, image, shape.width, shape.height);
    getLastCudaError();
}

void launchUnsharp(float *result, const float *image, const float *blurred, TileShape shape,
                   BlendParams params, cudaStream_t stream) {
    const dim3 block(256);
    const dim3 grid((shape.width + block.x - 1) / block.x, shape.height);
    unsharpKernel<<<grid, block, 0, stream>>>(result, image, blurred, shape.width, shape.height,
                                              params.amount, params.workMicros);
    getLastCudaError();
}
