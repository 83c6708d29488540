#pragma once
#include <cuda_runtime.h>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

#define GPU_OK(expr)                                              \
    do {                                                          \
        if (cudaError_t rc = (expr); rc != cudaSuccess) {         \
            std::printf("ERROR %s\n", cudaGetErrorName(rc));      \
            std::exit(1);                                         \
        }                                                         \
    } while (0)

namespace llm {

struct Config {
    int layers = 6;
    int dim = 256;
    int vocab = 997;
    int maxTokens = 32;
    int cacheStreams = 2;  // streams that write the KV cache, taken in turn by the layers
    int bucket = 16;       // context lengths are rounded up to a multiple of this
};

struct State {
    int token;
    int pos;
};

__host__ __device__ inline std::uint32_t embedding(int token, int i) { return (token + 1) * 2654435761u ^ (i * 40503u); }
__host__ __device__ inline std::uint32_t projected(std::uint32_t x, int layer) { return x * (2u * layer + 3u) + 7u; }
__host__ __device__ inline std::uint32_t mixed(std::uint32_t x, std::uint32_t past) { return x * 5u + (past ^ (x >> 7)); }

void embed(std::uint32_t* x, const State* st, const Config& c, cudaStream_t s);
void project(const std::uint32_t* x, std::uint32_t* kv, int layer, const Config& c, cudaStream_t s);
void append(const std::uint32_t* kv, std::uint32_t* cache, const State* st, const Config& c, cudaStream_t s);
void attend(std::uint32_t* x, const std::uint32_t* cache, const State* st, int context, const Config& c, cudaStream_t s);
void sample(const std::uint32_t* x, State* st, int* text, const Config& c, cudaStream_t s);

}  // namespace llm
