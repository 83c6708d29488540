#pragma once

#include "staging.h"

namespace lidar {

struct GridSpec {
    float cell = 0.5f;
    int side = 64;
};

// Accumulates one sweep into a voxel grid and its summed intensity into `total`.
void integrate_sweep(const Point* points, int count, GridSpec spec, unsigned* voxels,
                     unsigned long long* total, cudaStream_t stream);

}  // namespace lidar
