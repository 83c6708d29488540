#pragma once
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define RADAR_TRY(expr)                                        \
    do {                                                       \
        const cudaError_t rc_ = (expr);                        \
        if (rc_ != cudaSuccess) {                              \
            std::printf("ERROR %s\n", cudaGetErrorName(rc_));  \
            std::exit(1);                                      \
        }                                                      \
    } while (0)

namespace radar {

constexpr int kGates = 2048;

struct Shared {
    unsigned pulses;  // pulses whose range profile is complete
    unsigned credit;  // profiles the monitor has looked at
};

struct Detections {
    volatile unsigned seen;
    volatile unsigned peak_gate[64];
};

__global__ void range_profile(const float* echo, float* profile, Shared* shared);
__global__ void cfar_monitor(const float* profile, Shared* shared, Detections* out, unsigned pulses);

}  // namespace radar
