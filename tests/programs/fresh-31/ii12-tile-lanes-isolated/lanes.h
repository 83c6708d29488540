#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <vector>

#include "render_config.h"

namespace farm {

void ensure(cudaError_t status);

class LaneSet {
public:
    explicit LaneSet(const RenderConfig& config);
    ~LaneSet();
    LaneSet(const LaneSet&) = delete;
    LaneSet& operator=(const LaneSet&) = delete;

    int size() const { return static_cast<int>(lanes_.size()); }
    cudaStream_t at(int lane) const { return lanes_[lane]; }
    void finish() const;

private:
    std::vector<cudaStream_t> lanes_;
};

}  // namespace farm
