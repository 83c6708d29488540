#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

namespace archive {

struct CudaError : std::runtime_error {
    explicit CudaError(cudaError_t e) : std::runtime_error(cudaGetErrorName(e)) {}
};
#define ARCHIVE_CHECK(expr)                                   \
    do {                                                      \
        if (cudaError_t e = (expr); e != cudaSuccess)         \
            throw ::archive::CudaError(e);                    \
    } while (0)

enum class Band : int { Panchromatic, Multispectral };

struct SceneTile {
    Band band;
    std::uint32_t seed;
};

constexpr int kTileWords = 4096;

// One coded tile; the kernels code straight into page-locked host memory, from
// where the archive writer takes it.
class CodedTile {
public:
    CodedTile();
    ~CodedTile();
    CodedTile(CodedTile &&o) noexcept;
    CodedTile(const CodedTile &) = delete;

    std::uint32_t *words = nullptr;
    cudaEvent_t coded = nullptr;
};

class Encoder {
public:
    Encoder();
    ~Encoder();
    Encoder(const Encoder &) = delete;

    void submit(const SceneTile &tile, CodedTile &out);
    void drain();

private:
    cudaStream_t pick(Band band);

    cudaStream_t wide_ = nullptr;
    cudaStream_t narrow_[2] = {};
    unsigned narrow_next_ = 0;
    cudaEvent_t last_ = nullptr;
};

void encode_tile(cudaStream_t s, const SceneTile &tile, std::uint32_t *coded);
std::uint32_t reference_word(const SceneTile &tile, int i);

} // namespace archive
