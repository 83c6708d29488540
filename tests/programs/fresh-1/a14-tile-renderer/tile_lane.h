#pragma once
#include <cuda_runtime.h>
#include <vector>

#include "host_memory.h"

namespace render {

struct TileJob {
    int index = 0;
};

// One lane of the renderer: scene data in, shading, pixels out, on its own stream.
class TileLane {
public:
    explicit TileLane(int pixels);
    ~TileLane();
    TileLane(const TileLane&) = delete;
    TileLane& operator=(const TileLane&) = delete;

    void submit(const TileJob& job);
    int collect();

private:
    using Image = std::vector<float>;

    int pixels_;
    int pending_ = -1;
    cudaStream_t stream_ = nullptr;
    float* scene_ = nullptr;
    float* shaded_ = nullptr;
    PinnedVector<float> input_;
    Image image_;
};

}  // namespace render
