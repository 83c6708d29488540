#pragma once
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CU(expr)                                                  \
    do {                                                          \
        cudaError_t e_ = (expr);                                  \
        if (e_ != cudaSuccess) {                                  \
            std::printf("ERROR %s\n", cudaGetErrorName(e_));      \
            std::exit(1);                                         \
        }                                                         \
    } while (0)

constexpr int kSlots = 64;     // KV pages on the device
constexpr int kHeadDim = 128;
constexpr int kVocab = 512;
constexpr int kMaxBatch = 8;

// Everything one decode step touches on the device.
struct DecoderState {
    int* kv = nullptr;         // [kSlots][kHeadDim]
    int* slot_of = nullptr;    // [kMaxBatch]
    int* token = nullptr;      // [kMaxBatch]
    int* score = nullptr;      // [kMaxBatch]
};

__host__ __device__ inline int vocab_weight(int token, int dim) {
    return ((token * 31 + dim * 17) % 23) - 11;
}
