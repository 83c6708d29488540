#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

inline void expect(cudaError_t status, const char* what) {
    if (status == cudaSuccess) return;
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
    std::printf("ERROR %s\n", cudaGetErrorName(status));
    std::exit(3);
}
#define EXPECT(expression) expect((expression), #expression)
