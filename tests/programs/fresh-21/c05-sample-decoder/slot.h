// Buffers of one chunk under way.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <stdexcept>

namespace daq {

inline void check(cudaError_t code) {
    if (code != cudaSuccess) throw std::runtime_error(cudaGetErrorName(code));
}

inline std::size_t samplesIn(std::size_t packedBytes) { return packedBytes / 3 * 2; }

struct Slot {
    std::uint8_t* hostPacked = nullptr;
    std::int16_t* hostSamples = nullptr;
    std::uint8_t* packed = nullptr;
    std::int16_t* samples = nullptr;
    cudaEvent_t finished = nullptr;

    explicit Slot(std::size_t maxBytes) {
        const std::size_t sampleBytes = samplesIn(maxBytes) * sizeof(std::int16_t);
        check(cudaMallocHost(&hostPacked, maxBytes));
        check(cudaMallocHost(&hostSamples, sampleBytes));
        check(cudaMalloc(&packed, maxBytes));
        check(cudaMalloc(&samples, sampleBytes));
        check(cudaEventCreateWithFlags(&finished, cudaEventDisableTiming));
    }
    Slot(const Slot&) = delete;
    Slot& operator=(const Slot&) = delete;
    ~Slot() {
        cudaEventDestroy(finished);
        cudaFree(samples);
        cudaFree(packed);
        cudaFreeHost(hostSamples);
        cudaFreeHost(hostPacked);
    }
};

}  // namespace daq
