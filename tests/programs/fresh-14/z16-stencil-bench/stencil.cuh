#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace st {

inline void check(cudaError_t e)
{
    if (e == cudaSuccess)
        return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::fflush(stdout);
    std::_Exit(1);
}

struct Clock {
    unsigned long long first;
    unsigned long long last;
};

constexpr unsigned long long kStepNs = 8000000ull;

template <int R>
__global__ void stencil_kernel(const int* in, int* out, int n, Clock* clk)
{
    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t0));
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        int acc = 0;
        for (int k = -R; k <= R; ++k)
            acc += in[(i + k + n) % n];
        out[i] = acc & 0xffff;
    }
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
    } while (t - t0 < kStepNs);
    if (threadIdx.x == 0) {
        atomicMin(&clk->first, t0);
        atomicMax(&clk->last, t);
    }
}

template <int R>
struct Stencil {
    static constexpr int radius = R;
    void operator()(const int* in, int* out, int n, Clock* clk, cudaStream_t s) const
    {
        stencil_kernel<R><<<16, 256, 0, s>>>(in, out, n, clk);
        check(cudaGetLastError());
    }
};

}  // namespace st
