// One-dimensional electrostatic model in integers, used by host and device.
#pragma once
#include <cstdint>

namespace pic {

inline constexpr int kCells = 512;
inline constexpr int kParticles = 8192;
inline constexpr std::uint32_t kSubcell = 64;
inline constexpr std::uint32_t kLength = kCells * kSubcell;

struct Particle {
    std::uint32_t x;
    int v;
};

__host__ __device__ inline int field_at(const int* rho, int c) {
    return rho[c ? c - 1 : kCells - 1] - rho[c + 1 < kCells ? c + 1 : 0];
}

__host__ __device__ inline void kick_and_drift(Particle& p, int e) {
    p.v += e / 4;
    if (p.v > 4096) p.v = 4096;
    if (p.v < -4096) p.v = -4096;
    p.x = (p.x + kLength + static_cast<std::uint32_t>(p.v)) % kLength;
}

inline Particle initial(int i) {
    std::uint32_t h = i * 2246822519u + 374761393u;
    h ^= h >> 15;
    return Particle{(h * 3266489917u >> 7) % kLength, int(h % 65u) - 32};
}

}  // namespace pic
