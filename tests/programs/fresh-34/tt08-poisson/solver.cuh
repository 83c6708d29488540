// solver.cuh - red/black relaxation of a Poisson problem, interior and rim in two lanes
#pragma once

#include <cuda_runtime.h>

namespace poisson {

constexpr int kSide = 512;
constexpr int kCells = kSide * kSide;

struct Lanes {
    cudaStream_t body{};
    cudaStream_t rim{};
    cudaEvent_t  fork{};
    cudaEvent_t  join{};
};

__device__ inline void dwell(unsigned long long ns)
{
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a));
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b));
    } while (b - a < ns);
}

__host__ __device__ inline bool on_rim(int c)
{
    const int x = c % kSide, y = c / kSide;
    return x == 0 || y == 0 || x == kSide - 1 || y == kSide - 1;
}

static __global__ void relax_body(const float *f, float *u, int sweep)
{
    dwell(2'000'000ull);
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < kCells; c += gridDim.x * blockDim.x)
        if (!on_rim(c))
            u[c] = u[c] * 0.5f + f[c] + (float)sweep;
}

static __global__ void relax_rim(const float *f, float *u, int sweep)
{
    dwell(6'000'000ull);
    for (int c = blockIdx.x * blockDim.x + threadIdx.x; c < kCells; c += gridDim.x * blockDim.x)
        if (on_rim(c))
            u[c] = u[c] * 0.25f + f[c] - (float)sweep;
}

inline float reference(float u, float f, int c, int sweeps)
{
    for (int s = 0; s < sweeps; ++s)
        u = on_rim(c) ? u * 0.25f + f - (float)s : u * 0.5f + f + (float)s;
    return u;
}

// one sweep, ordered in the body lane
static inline cudaError_t sweep(const Lanes &l, const float *f, float *u, int n)
{
    cudaError_t e;
    if ((e = cudaEventRecord(l.fork, l.body))) return e;
    if ((e = cudaStreamWaitEvent(l.rim, l.fork, 0))) return e;
    relax_rim<<<32, 256, 0, l.rim>>>(f, u, n);
    if ((e = cudaGetLastError())) return e;
    relax_body<<<32, 256, 0, l.body>>>(f, u, n);
    if ((e = cudaGetLastError())) return e;
    if ((e = cudaEventRecord(l.join, l.rim))) return e;
    return cudaStreamWaitEvent(l.body, l.join, 0);
}

} // namespace poisson
