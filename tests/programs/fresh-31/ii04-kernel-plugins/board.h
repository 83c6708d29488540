#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

namespace fusion {

constexpr int kMaxSensors = 8;
constexpr int kWindow = 2048;

// Meeting point of the estimators and the collector, in device memory.
struct Board {
    unsigned posted[kMaxSensors];
    float estimate[kMaxSensors];
};

inline void verify(cudaError_t status) {
    if (status != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(status));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

__host__ __device__ inline float sample_value(int sensor, unsigned epoch, int i) {
    return static_cast<float>((sensor * 7 + static_cast<int>(epoch) * 3 + i) % 32);
}

}  // namespace fusion
