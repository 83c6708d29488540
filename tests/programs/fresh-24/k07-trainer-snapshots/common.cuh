#pragma once
#include <cuda_runtime.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>

#define TR_CUDA(call)                                                 \
    do {                                                              \
        cudaError_t e_ = (call);                                      \
        if (e_ != cudaSuccess) {                                      \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));          \
            std::fflush(stdout);                                      \
            std::_Exit(2);                                            \
        }                                                             \
    } while (0)

namespace tr {
inline int blocksFor(int n) { return (n + 255) / 256; }

__device__ inline void holdFor(long long ns) {
    unsigned long long a, b;
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(a)::"memory");
    do {
        asm volatile("mov.u64 %0, %globaltimer;" : "=l"(b)::"memory");
    } while (b - a < (unsigned long long)ns);
}

// Synthetic gradient of weight i at a step; small integers, so that sums are exact.
__host__ __device__ inline float gradientOf(int step, int i) {
    return (float)((i * 7 + step * 13) % 5 - 2);
}

// Fixed ring of reusable slots with a cursor.
template <class Slot, std::size_t N>
class SlotRing {
public:
    Slot& current() { return slots_[cursor_]; }
    void advance() { cursor_ = (cursor_ + 1) % N; }

    typename std::array<Slot, N>::iterator begin() { return slots_.begin(); }
    typename std::array<Slot, N>::iterator end() { return slots_.end(); }
private:
    std::array<Slot, N> slots_{};
    std::size_t cursor_ = 0;
};
}  // namespace tr
