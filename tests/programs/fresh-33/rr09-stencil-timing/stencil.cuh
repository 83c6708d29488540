#pragma once

#include "policies.hpp"
#include "vec.cuh"

#include <cstddef>

// Interior and border of the grid are advanced by separate kernels in two streams.
class SplitStencil {
public:
    explicit SplitStencil(int cells);
    ~SplitStencil();
    void issue();
    int mismatches() const;
    cudaStream_t stream() const { return main_; }

private:
    int cells_;
    int steps_ = 0;
    cudaStream_t main_{}, side_{};
    cudaEvent_t forked_{};
    Vec4* interior_{};
    Vec4* border_{};
};
