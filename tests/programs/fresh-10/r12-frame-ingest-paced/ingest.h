#pragma once
#include <cuda_runtime.h>

#include <cstdint>
#include <vector>

#include "pinned_pool.h"

namespace ingest {

struct Geometry {
    int width;
    int height;
    int pixels() const { return width * height; }
};

// Hands frames to the device and keeps a digest of each of its rows.
class FrameIngest {
public:
    FrameIngest(Geometry geometry, int frames, PinnedPool& pool);
    ~FrameIngest();
    FrameIngest(const FrameIngest&) = delete;
    FrameIngest& operator=(const FrameIngest&) = delete;

    cudaError_t init();
    cudaError_t submit(int index, const std::vector<std::uint16_t>& frame);
    cudaError_t finish();
    const std::uint32_t* digests(int index) const { return host_ + index * geometry_.height; }

private:
    Geometry geometry_;
    int frames_;
    PinnedPool& pool_;
    cudaStream_t stream_ = nullptr;
    std::uint16_t* frame_ = nullptr;
    std::uint32_t* digests_ = nullptr;
    std::uint32_t* host_ = nullptr;
};

}  // namespace ingest
