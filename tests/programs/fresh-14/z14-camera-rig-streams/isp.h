#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace rig {

inline void require(cudaError_t e, const char* = "")
{
    if (e != cudaSuccess) {
        std::printf("ERROR %s\n", cudaGetErrorName(e));
        std::fflush(stdout);
        std::_Exit(1);
    }
}

struct Frame {
    int pixels = 0;
    const std::uint16_t* raw = nullptr;
    std::uint32_t* rgb = nullptr;
};

struct ToneCurve {
    std::uint16_t gain[16];
    static ToneCurve make(int contrast);
};

// The stages of the image signal processor.
void debayer(const Frame& f, cudaStream_t stream);
void apply_curve(const Frame& f, const ToneCurve& curve, cudaStream_t stream = nullptr);
void sharpen(const Frame& f, int amount, cudaStream_t stream);

}  // namespace rig
