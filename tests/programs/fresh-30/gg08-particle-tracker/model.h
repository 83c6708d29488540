#pragma once
#include <cstdint>

#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif

namespace tracker {

constexpr int kParticles = 3 * 4096;
constexpr int kMap = 4096;
constexpr int kScans = 12;
constexpr int kLanes = 3;
constexpr int kPerLane = kParticles / kLanes;

BOTH inline uint32_t scramble(uint32_t x) {
    x ^= x >> 16;
    x *= 0x7feb352du;
    x ^= x >> 15;
    x *= 0x846ca68bu;
    x ^= x >> 16;
    return x;
}

BOTH inline uint32_t map_cell(int scan, int i) { return 1u + scramble(static_cast<uint32_t>(scan * kMap + i)) % 255u; }

BOTH inline uint32_t moved(uint32_t place, int scan, int particle) {
    return place + 1u + scramble(static_cast<uint32_t>(scan * 65537 + particle)) % 17u;
}

// Deterministic resampling: particle i takes over from a neighbour when the
// total weight says so.
BOTH inline int heir(int i, unsigned long long total) {
    return static_cast<int>((static_cast<unsigned long long>(i) * 31u + total % 8191u) % kParticles);
}

struct Estimate {
    unsigned long long total;
    unsigned long long place_sum;
};

}  // namespace tracker
