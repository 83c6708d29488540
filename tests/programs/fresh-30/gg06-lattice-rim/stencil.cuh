#pragma once
#include <cuda_runtime.h>

namespace lattice {

constexpr int kCells = 1 << 15;
constexpr int kRim = 512;

__host__ __device__ inline int advance(int left, int mid, int right, int i) {
    return ((left + 2 * mid + right) >> 2) + ((mid ^ i) & 7) - (mid > (1 << 20) ? 5 : 0);
}

__device__ inline void dwell(long long ns) {
    long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < ns);
}

// Cells [first, first + count), indices modulo the ring.
__global__ void advance_range(const int* now, int* next, int first, int count, long long ns) {
    const int k = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (k >= count) return;
    dwell(ns);
    const int i = (first + k) & (kCells - 1);
    const int l = (i - 1) & (kCells - 1), r = (i + 1) & (kCells - 1);
    next[i] = advance(now[l], now[i], now[r], i);
}

}  // namespace lattice
