#pragma once
#include <cstdint>
#include <cuda_runtime.h>

constexpr int kReadLen = 128;

// Best ungapped score of one read against the reference window it is seeded on.
__host__ __device__ inline int score_read(const uint8_t* read, const uint8_t* ref, int ref_len, int seed) {
    int best = 0, run = 0;
    for (int i = 0; i < kReadLen; ++i) {
        run += read[i] == ref[(seed + i) % ref_len] ? 2 : -3;
        if (run < 0) run = 0;
        if (run > best) best = run;
    }
    return best;
}

void launch_scorer(const uint8_t* reads, const uint8_t* ref, int ref_len, int* scores, int count, int first_id,
                   int extend_us, cudaStream_t stream);
