#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define TRY(expr) ::require((expr))

inline void require(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(2);
    }
}

#ifdef __CUDACC__
__device__ inline void occupy(unsigned long long ns)
{
    unsigned long long begin, now;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin) :: "memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now) :: "memory");
    } while (now - begin < ns);
}
#endif
