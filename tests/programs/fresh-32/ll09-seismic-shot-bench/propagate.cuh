#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace seis {

inline void ok(cudaError_t e) {
    if (e == cudaSuccess) return;
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

constexpr int kCells = 4096;

struct Span {
    unsigned long long first;
    unsigned long long last;
};

struct Shot {
    int id;
    int steps;
};

// One shot advances a 1-D wavefield; the device notes when it began and ended.
void launch_shot(const Shot& shot, float* field, Span* span, cudaStream_t s);

}  // namespace seis
