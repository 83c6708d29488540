#pragma once

#include "staging.h"

namespace mc {

struct Shard {
    std::uint32_t seed;
    int paths;
};

// Uniform number of one obligor on one path.
__host__ __device__ inline std::uint32_t draw(std::uint32_t seed, int path, int obligor)
{
    std::uint32_t h = seed ^ (std::uint32_t(path) * 0x9e3779b1u) ^ (std::uint32_t(obligor) * 0x85ebca77u);
    h = (h ^ (h >> 15)) * 0x2c1b3c6du;
    h = (h ^ (h >> 12)) * 0x297a2d39u;
    return h ^ (h >> 15);
}

// Adds up the losses of all the paths of a shard; *total is device memory.
void simulate(const Shard& shard, const std::uint32_t* thresholds, const std::uint32_t* exposures,
              unsigned long long* total, cudaStream_t stream);

}  // namespace mc
