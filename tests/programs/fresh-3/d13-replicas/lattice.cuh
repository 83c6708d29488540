#pragma once
#include <cstdint>
#include <cuda_runtime.h>

namespace ising {

constexpr int kSide = 64;
constexpr int kSites = kSide * kSide;

// Counter-based generator: the same (replica, sweep, site) always gives the same number.
__host__ __device__ inline uint32_t draw(uint32_t replica, uint32_t sweep, uint32_t site) {
    uint32_t h = replica * 0x9E3779B9u ^ sweep * 0x85EBCA6Bu ^ site * 0xC2B2AE35u;
    h ^= h >> 16;
    h *= 0x7FEB352Du;
    h ^= h >> 15;
    h *= 0x846CA68Bu;
    return h ^ (h >> 16);
}

// Metropolis acceptance by integer thresholds for dE = 4 and dE = 8.
struct Thresholds {
    uint32_t t4, t8;
};

__host__ __device__ inline bool flips(const int8_t* s, int site, uint32_t rnd, Thresholds t) {
    int x = site % kSide, y = site / kSide;
    int nb = s[y * kSide + (x + 1) % kSide] + s[y * kSide + (x + kSide - 1) % kSide] +
             s[(y + 1) % kSide * kSide + x] + s[(y + kSide - 1) % kSide * kSide + x];
    int de = 2 * s[site] * nb;
    if (de <= 0) return true;
    return rnd < (de == 4 ? t.t4 : t.t8);
}

}  // namespace ising
