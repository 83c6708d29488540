#pragma once
#include <cstdint>

// Stand-ins for the two language models: the token that follows (position, last).
namespace models {

constexpr int kLookahead = 16;

__host__ __device__ inline uint32_t target(uint32_t position, uint32_t last) {
    uint32_t h = last * 0x85ebca6bu + position * 0x27d4eb2fu;
    h ^= h >> 15;
    h *= 0x2c1b3c6du;
    return (h ^ (h >> 12)) % 50257u;
}

__host__ __device__ inline uint32_t draft(uint32_t position, uint32_t last) {
    const uint32_t t = target(position, last);
    return t % 11u == 3u ? t + 1u : t;
}

}  // namespace models
