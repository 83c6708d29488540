#pragma once
#include <cuda_runtime.h>
#include <cstdint>
#include "block_pool.h"

// Delta-encodes the segments of a downlink on the device and keeps the result on the host.
class Archiver {
public:
    Archiver(BlockPool& pool, int maxSegments);
    Archiver(const Archiver&) = delete;
    Archiver& operator=(const Archiver&) = delete;
    ~Archiver();

    void append(const std::int32_t* samples);
    const std::int32_t* close();
    int segments() const { return segments_; }

private:
    BlockPool& pool_;
    cudaStream_t stream_ = nullptr;
    std::int32_t* raw_ = nullptr;
    std::int32_t* delta_ = nullptr;
    std::int32_t* archive_ = nullptr;
    int segments_ = 0;
};
