#pragma once
#include <cstdint>

#include <cuda.h>
#include <cuda_runtime.h>

namespace estuary {

constexpr int kBands = 4;
constexpr int kCells = 8192;
constexpr int kSteps = 24;

// One strip of the periodic basin. `tide` counts the steps that the strip has finished.
struct Band {
    uint32_t* level[2] = {nullptr, nullptr};
    CUdeviceptr tide = 0;
    CUstream stream = nullptr;
    Band* west = nullptr;
    Band* east = nullptr;
    int index = 0;
};

__host__ __device__ inline uint32_t initial_level(int band, int cell) {
    return (static_cast<uint32_t>(band) * 7919u + static_cast<uint32_t>(cell) * 104729u) & 0xffffffu;
}

__host__ __device__ inline uint32_t relax(uint32_t w, uint32_t c, uint32_t e) {
    return (3u * c + w + 2u * e + 7u) & 0xffffffu;
}

cudaError_t flood(const Band& band);
cudaError_t relax_band(const Band& band, int parity);

}  // namespace estuary
