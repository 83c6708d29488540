#pragma once
#include <cuda_runtime.h>

namespace estuary {

constexpr int kReaches = 4096;

struct Tide {
    int number = 0;
    float range = 0.0f;
};

struct Fields {
    float* discharge;
    float* level;
    float* salinity;
    float* silt;
};

void inflow(const Fields& f, Tide tide, cudaStream_t stream);
void surge(const Fields& f, Tide tide, cudaStream_t stream);
void mixing(const Fields& f, Tide tide, cudaStream_t stream);
void settling(const Fields& f, Tide tide, cudaStream_t stream);

float expectedSilt(Tide tide, int reach);

}  // namespace estuary
