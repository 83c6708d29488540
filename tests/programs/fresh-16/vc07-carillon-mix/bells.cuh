#pragma once
#include <cuda_runtime.h>

namespace carillon {

constexpr int kSamples = 48000;

struct Stroke {
    int bell;
    int start;
    float weight;
};

__host__ __device__ inline float clang(const Stroke& s, int n) {
    if (n < s.start) return 0.0f;
    const int phase = ((n - s.start) * (s.bell + 3)) % 64;
    const float saw = static_cast<float>(phase) / 32.0f - 1.0f;
    return s.weight * saw / (1.0f + 0.0001f * static_cast<float>(n - s.start));
}

__global__ void strike(Stroke s, float* strip, long long ns) {
    unsigned long long t0, t1;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t1));
    } while (static_cast<long long>(t1 - t0) < ns);
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < kSamples; n += gridDim.x * blockDim.x) strip[n] = clang(s, n);
}

__global__ void blend(const float* strip, float* tower) {
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < kSamples; n += gridDim.x * blockDim.x) tower[n] += strip[n];
}

__global__ void hush(float* tower) {
    for (int n = blockIdx.x * blockDim.x + threadIdx.x; n < kSamples; n += gridDim.x * blockDim.x) tower[n] = 0.0f;
}

}  // namespace carillon
