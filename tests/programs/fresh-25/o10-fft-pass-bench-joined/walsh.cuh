#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace walsh {

constexpr int kLength = 1024;   // points per row, one block per row

// In-place fast Walsh-Hadamard transform of each row, modulo 2^32.  `dwell_ms`
// reproduces the memory time of a strided pass over the production volume.
template <int Threads>
__global__ void transform_rows(std::uint32_t* data, unsigned dwell_ms) {
    __shared__ std::uint32_t row[kLength];
    std::uint32_t* mine = data + static_cast<std::size_t>(blockIdx.x) * kLength;
    for (int i = threadIdx.x; i < kLength; i += Threads) row[i] = mine[i];

    unsigned long long t0, t;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t0));
    do {
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
    } while (t - t0 < dwell_ms * 1000000ull);

    for (int half = 1; half < kLength; half <<= 1) {
        __syncthreads();
        for (int k = threadIdx.x; k < kLength / 2; k += Threads) {
            const int a = (k / half) * 2 * half + k % half;
            const std::uint32_t u = row[a], v = row[a + half];
            row[a] = u + v;
            row[a + half] = u - v;
        }
    }
    __syncthreads();
    for (int i = threadIdx.x; i < kLength; i += Threads) mine[i] = row[i];
}

}  // namespace walsh
