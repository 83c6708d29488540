#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <cuda_runtime.h>

namespace asr {

class CudaError : public std::runtime_error {
public:
    explicit CudaError(cudaError_t code) : std::runtime_error(cudaGetErrorName(code)) {}
};

inline void ensure(cudaError_t code)
{
    if (code != cudaSuccess) throw CudaError(code);
}

// Acoustic front end: a chunk of `hops` hops, with some hops of context on each side.
struct FrontEnd {
    int hops = 512;
    int contextHops = 16;
    int bins = 2048;

    int paddedHops() const { return hops + 2 * contextHops; }
    std::size_t spectrumBytes() const
    {
        return static_cast<std::size_t>(paddedHops()) * bins * sizeof(float2);
    }
};

struct Limits {
    std::size_t scratchPerSession = std::size_t{8} << 20;
    int sessions = 4;
    int chunksPerCall = 12;
};

inline std::int16_t pcmSample(int session, int chunk, int i)
{
    std::uint32_t h = session * 2654435761u + chunk * 97u + i * 40503u;
    h ^= h >> 14;
    return static_cast<std::int16_t>(h & 0x3ff);
}

}  // namespace asr
