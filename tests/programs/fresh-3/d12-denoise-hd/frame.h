#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <cuda_runtime.h>

#define GPU(call)                                                   \
    do {                                                            \
        cudaError_t err__ = (call);                                 \
        if (err__ != cudaSuccess) {                                 \
            std::printf("ERROR %s\n", cudaGetErrorName(err__));     \
            std::exit(1);                                           \
        }                                                           \
    } while (0)

struct FrameRelease {
    void operator()(uint8_t* p) const;
};
using FrameBuffer = std::unique_ptr<uint8_t[], FrameRelease>;

// Page-aligned storage for one picture.
FrameBuffer make_frame(size_t bytes);

struct Geometry {
    int width, height;
    size_t bytes() const { return size_t(width) * height; }
};
