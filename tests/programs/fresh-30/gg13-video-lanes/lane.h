#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <functional>
#include <optional>

#include "memory.h"

namespace video {

constexpr int kCoded = 8192;        // bytes of a coded frame
constexpr int kLuma = 64 * 1024;    // samples of a decoded frame
constexpr int kThumb = kLuma / 16;  // samples of a scaled frame

constexpr double kDecodeMs = 9.0;
constexpr double kScaleMs = 5.0;

__host__ __device__ inline uint8_t coded_byte(int frame, int i) {
    uint32_t x = static_cast<uint32_t>(frame) * 2654435761u + static_cast<uint32_t>(i) * 40503u;
    x ^= x >> 11;
    x *= 2246822519u;
    return static_cast<uint8_t>(x >> 24);
}
__host__ __device__ inline int luma_of(uint8_t a, uint8_t b, int i) { return (a * 3 + b * 5 + i) & 0xff; }

// A frame's way through decoder and scaler.
class Lane {
public:
    using Deliver = std::function<void(int frame, const int* thumb)>;

    Lane(MemoryDomain& domain, Deliver deliver);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    // Delivers the frame taken before, then starts on this one.
    void take(int frame);
    void flush();

private:
    MemoryDomain& domain_;
    Deliver deliver_;
    cudaStream_t stream_ = nullptr;
    cudaEvent_t done_ = nullptr;
    uint8_t* coded_ = nullptr;  // page-locked
    int* thumb_ = nullptr;      // page-locked
    std::optional<int> in_flight_;
};

}  // namespace video
