#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

namespace codec {

struct Format {
    int width = 1024;
    int height = 512;
    int quantum = 8;
    __host__ __device__ int pixels() const { return width * height; }
};

// Intra coder for 8-bit luma: delta along rows, then quantisation.
class BlockEncoder {
public:
    explicit BlockEncoder(Format format);
    ~BlockEncoder();
    BlockEncoder(const BlockEncoder&) = delete;

    void load(const std::vector<std::uint8_t>& luma);
    void encode();
    std::vector<std::int16_t> fetch();
    void drain();

private:
    Format format_;
    cudaStream_t stream_ = nullptr;
    std::uint8_t* luma_ = nullptr;
    std::int16_t* delta_ = nullptr;
    std::int16_t* levels_ = nullptr;
};

}  // namespace codec
