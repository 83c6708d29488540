#pragma once

#include <cuda_runtime.h>

#include <cstddef>

namespace gb {

constexpr int kMaxSegments = 16;

struct Segment {
    float *master;
    const float *grad;
    std::size_t count;
};

struct SegmentList {
    Segment at[kMaxSegments];
    int used;
};

// One row of blocks for each segment.
static __global__ void accumulate(SegmentList list, float inv_scale) {
    const Segment s = list.at[blockIdx.y];
    const std::size_t step = std::size_t(gridDim.x) * blockDim.x;
    for (std::size_t i = std::size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < s.count; i += step)
        s.master[i] += s.grad[i] * inv_scale;
}

}  // namespace gb
