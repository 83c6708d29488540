#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

namespace percept {

[[noreturn]] inline void die(cudaError_t e) {
    std::printf("ERROR %s\n", cudaGetErrorName(e));
    std::exit(1);
}

inline void must(cudaError_t e) {
    if (e != cudaSuccess) die(e);
}

}  // namespace percept
