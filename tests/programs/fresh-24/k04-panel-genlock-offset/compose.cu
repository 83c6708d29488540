#include <cuda_runtime.h>

#include "wall.h"

namespace wall {
__device__ static unsigned long long nowNs() {
    unsigned long long t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t)::"memory");
    return t;
}

__global__ void compose(unsigned* surface, int pixels, int panel, int frame, long long ns,
                        const volatile unsigned* tick, Shown* entry) {
    __shared__ unsigned sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    const unsigned long long begin = nowNs();
    while (nowNs() - begin < (unsigned long long)ns) {
    }
    unsigned mine = 0;
    for (int i = threadIdx.x; i < pixels; i += blockDim.x) {
        const unsigned v = pixelOf(panel, frame, i);
        surface[i] = v;
        mine += v;
    }
    atomicAdd(&sum, mine);
    __syncthreads();
    if (threadIdx.x == 0) {
        entry->checksum = sum;
        entry->tick = *tick;
    }
}

CUfunction composeFunction() {
    static CUfunction cached = [] {
        cudaFunction_t f = nullptr;
        if (cudaGetFuncBySymbol(&f, reinterpret_cast<const void*>(&compose)) != cudaSuccess) {
            std::printf("ERROR cudaGetFuncBySymbol\n");
            std::fflush(stdout);
            std::_Exit(2);
        }
        WALL_CU(cuFuncLoad(f));
        return static_cast<CUfunction>(f);
    }();
    return cached;
}
}  // namespace wall
