#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace mc {

constexpr int kParticles = 1 << 14;
constexpr int kCells = 64;
constexpr unsigned long long kFlightNs = 8000000ull;

inline void ok(cudaError_t e)
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::exit(1);
    }
}

__host__ __device__ inline unsigned mix(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    return x ^ (x >> 16);
}

__host__ __device__ inline unsigned landing_cell(unsigned seed, unsigned generation, unsigned id)
{
    return mix(seed * 977u + generation * 131071u + id) % kCells;
}

void fly(unsigned* cells, unsigned* ids, unsigned seed, unsigned generation, cudaStream_t s);
void score(const unsigned* cells, const unsigned* ids, unsigned long long* tally, cudaStream_t s);

} // namespace mc
