#pragma once
#include <cuda_runtime.h>

#include <cstdint>

namespace desk {

constexpr int kPaths = 8192;
constexpr int kMaxStrikes = 12;
constexpr int kThreads = 128;
constexpr int kBlocks = kPaths / kThreads;

struct Leg {
    uint32_t underlying;
    uint32_t spot;
    int strikes;
    uint32_t strike[kMaxStrikes];
};

struct Quote {
    unsigned long long value;
    unsigned long long delta;
};

__host__ __device__ inline uint32_t shock(uint32_t underlying, int path) {
    uint32_t x = underlying * 0x9e3779b9u + static_cast<uint32_t>(path) * 0x85ebca6bu;
    x ^= x >> 13;
    x *= 0xc2b2ae35u;
    x ^= x >> 16;
    return x % 2001u;
}

__host__ __device__ inline uint32_t payoff(const Leg& leg, int path) {
    const uint32_t s = leg.spot + shock(leg.underlying, path);
    uint32_t sum = 0;
    for (int k = 0; k < leg.strikes; ++k) sum += s > leg.strike[k] ? s - leg.strike[k] : 0;
    return sum;
}

__host__ __device__ inline uint32_t hedge_units(unsigned long long value, uint32_t ratio, int path) {
    return static_cast<uint32_t>((value * ratio + static_cast<unsigned>(path)) % 10007u);
}

void enqueue_clear(Quote* q, cudaStream_t s);
void enqueue_leg(const Leg& leg, Quote* q, cudaStream_t s);
void enqueue_settle(Quote* q, cudaStream_t s);

// For graphs that are put together by hand.
const void* hedge_entry();

}  // namespace desk
