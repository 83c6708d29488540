#pragma once
#include <cstdint>

#include <cuda_runtime.h>

namespace seis {

constexpr int kSamples = 8192;

__host__ __device__ inline int32_t recorded(int gather, int i) {
    return static_cast<int32_t>((static_cast<uint32_t>(gather) * 2246822519u + static_cast<uint32_t>(i) * 3266489917u) >> 16);
}

__host__ __device__ inline int32_t moveout(int32_t a, int32_t b, int gather) { return 2 * a - b + gather; }

static __global__ void shoot(int32_t* trace, int gather) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSamples; i += gridDim.x * blockDim.x) {
        trace[i] = recorded(gather, i);
    }
}

static __global__ void correct(const int32_t* trace, int32_t* out, int gather, unsigned long long ns) {
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < kSamples; i += gridDim.x * blockDim.x) {
        out[i] = moveout(trace[i], trace[(i + 1) % kSamples], gather);
    }
}

}  // namespace seis
