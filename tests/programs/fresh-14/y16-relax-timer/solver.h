#pragma once

#include <cuda_runtime.h>

#include <vector>

#include "span_timer.h"

namespace relax {

// Independent one-dimensional bands, each relaxed on its own stream.
class BandSolver {
public:
    BandSolver(int bands, int cells);
    ~BandSolver();

    void reset();
    void sweep(int count);
    std::vector<float> band(int index) const;
    const std::vector<cudaStream_t>& streams() const { return streams_; }

private:
    struct Band {
        float* now = nullptr;
        float* next = nullptr;
    };

    int cells_;
    std::vector<Band> bands_;
    std::vector<cudaStream_t> streams_;
};

float boundary(int band, int cell, int cells);

}  // namespace relax
