#pragma once
#include <cuda_runtime.h>

#include <cstdint>

#include "clerk.h"

namespace xcode {

constexpr int kSegmentSamples = 1 << 14;
constexpr int kCodecThreads = 128;
constexpr int kCodecBlocks = kSegmentSamples / kCodecThreads;

__host__ __device__ inline uint32_t source_sample(int segment, int i) {
    uint32_t x = static_cast<uint32_t>(segment * 7919 + i) * 2654435761u;
    x ^= x >> 15;
    x *= 2246822519u;
    x ^= x >> 13;
    return x & 0xffffu;
}

__host__ __device__ inline int band_of(int i) { return (i >> 5) % kBands; }

__host__ __device__ inline uint32_t quantise(uint32_t sample, uint32_t step) { return sample / step; }

// Each takes the number of samples; with none there is nothing to do.
void decode(uint32_t* samples, SegmentStats* stats, int segment, int n, cudaStream_t stream);
void filter(const uint32_t* samples, const SegmentPlan* plan, uint32_t* coded, int n, cudaStream_t stream);
void pack(const uint32_t* coded, unsigned long long* digest, int segment, int n, cudaStream_t stream);

}  // namespace xcode
