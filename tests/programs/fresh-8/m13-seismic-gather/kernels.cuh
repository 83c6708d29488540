#pragma once
#include <cuda_runtime.h>

#define TRACE_LEN   (1 << 17)
#define HOLD_NS     40000000ULL

static __device__ __forceinline__ unsigned long long ns_now()
{
    unsigned long long t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t) :: "memory");
    return t;
}

/* gain correction plus a running difference, with a fixed amount of work */
__global__ void condition_trace(const short *in, int *out, int n, int gain)
{
    unsigned long long t0 = ns_now();
    while (ns_now() - t0 < HOLD_NS) { }
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = gain * (in[i] - (i ? in[i - 1] : 0));
}

__global__ void beat(unsigned *counter) { atomicAdd(counter, 1u); }
