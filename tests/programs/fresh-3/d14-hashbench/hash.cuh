#pragma once
#include <cstdint>
#include <cuda_runtime.h>

// One link of the chained mixer; each thread follows its own chain.
__host__ __device__ inline uint32_t mix(uint32_t x) {
    x = x * 747796405u + 2891336453u;
    return (x >> 3) ^ x;
}

__host__ __device__ inline uint32_t chain_seed(int job, int thread) { return 0x9E3779B9u * (job + 1) + thread; }

struct Job {
    int id;
    int blocks;
    int threads;
    int links;
    uint32_t* d_out;
    size_t chains() const { return size_t(blocks) * threads; }
    double hashes() const { return double(chains()) * links; }
};

void enqueue(const Job& job, cudaStream_t stream);
