#pragma once

#include <cuda_runtime.h>

#include <deque>

#include "host_memory.h"

namespace ct {

void check(cudaError_t e);

struct Slice {
    int index = 0;
    SlicePixels pixels;
};

class Reconstructor {
public:
    Reconstructor(int side, int lanes);
    ~Reconstructor();
    Reconstructor(const Reconstructor&) = delete;

    void submit(Slice& slice);
    void wait();
    int lanes() const { return int(lanes_.size()); }
    int pixels() const { return side_ * side_; }
    static float expected(int slice, int pixel) {
        return float((slice * 31 + pixel) % 1000) * 0.5f + 1.0f;
    }

private:
    struct Lane {
        cudaStream_t stream = nullptr;
        float* image = nullptr;
    };

    int side_;
    std::deque<Lane> lanes_;
    unsigned turn_ = 0;
};

}  // namespace ct
