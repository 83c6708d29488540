#pragma once

#include "policies.hpp"
#include "vec.cuh"

#include <cstddef>

// Interior and border of the grid are advanced by separate kernels in two streams.
class HaloGrid {
public:
    explicit HaloGrid(int cells);
    ~HaloGrid();
    void iterate();
    int mismatches() const;
    cudaStream_t stream() const { return core_; }

private:
    int cells_;
    int steps_ = 0;
    cudaStream_t core_{}, rim_{};
    cudaEvent_t forked_{}, joined_{};
    Vec4* cells_in_{};
    Vec4* halo_{};
};
