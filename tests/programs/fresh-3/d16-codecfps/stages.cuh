#pragma once
#include <cstdint>
#include <cuda_runtime.h>

// Byte-wise toy transform: rotate, add the key and fold in the neighbour.
__host__ __device__ inline uint8_t transform_byte(uint8_t cur, uint8_t nxt, uint8_t key) {
    uint8_t r = static_cast<uint8_t>((cur << 3) | (cur >> 5));
    return static_cast<uint8_t>((r + key) ^ nxt);
}

void launch_transform(const uint8_t* in, uint8_t* out, size_t n, uint8_t key, int entropy_us, cudaStream_t s);
