#pragma once

#include "amr/gpu.h"

namespace amr {

struct Box {
    int x0, y0;  // inclusive
    int x1, y1;  // exclusive
    __host__ __device__ int nx() const { return x1 - x0; }
    __host__ __device__ int ny() const { return y1 - y0; }
};

// Plain view that kernels take by value; the ghost layer is one cell wide.
struct Array2 {
    int32_t* p;
    Box box;
    __host__ __device__ int32_t& operator()(int x, int y) const {
        return p[(y - box.y0 + 1) * (box.x1 - box.x0 + 2) + (x - box.x0 + 1)];
    }
};

class MultiFab {
public:
    MultiFab(const std::vector<Box>& boxes, Arena& arena);
    int size() const { return static_cast<int>(fabs_.size()); }
    const Box& box(int i) const { return fabs_[i].box; }
    Array2 array(int i) const { return fabs_[i]; }
    static std::size_t bytes(const Box& b) { return static_cast<std::size_t>(b.nx() + 2) * (b.ny() + 2) * sizeof(int32_t); }

private:
    std::vector<Array2> fabs_;
};

// Visits the boxes of a MultiFab, each on one of the streams.
class FabIter {
public:
    explicit FabIter(const MultiFab& mf) : count_(mf.size()) {}
    ~FabIter() { Gpu::get().sync_streams(); }
    FabIter(const FabIter&) = delete;
    FabIter& operator=(const FabIter&) = delete;

    bool valid() const { return at_ < count_; }
    void operator++() { ++at_; }
    int index() const { return at_; }
    cudaStream_t stream() const { return Gpu::get().stream(at_); }

private:
    int count_;
    int at_ = 0;
};

}  // namespace amr
