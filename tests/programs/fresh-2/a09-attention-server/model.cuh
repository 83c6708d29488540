#pragma once
#include <cuda_runtime.h>

namespace serve {

constexpr int kDim = 2048;

struct Buffers {
    float* x = nullptr;
    float* q = nullptr;
    float* cache = nullptr;
    float* usage = nullptr;
    float* y = nullptr;
};

void project(const Buffers& b, cudaStream_t s);
void append_cache(const Buffers& b, cudaStream_t s);
void cache_usage(const Buffers& b, cudaStream_t s);
void attend(const Buffers& b, cudaStream_t s);

}  // namespace serve
