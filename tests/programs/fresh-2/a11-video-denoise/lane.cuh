#pragma once
#include "plane.h"

namespace vid {

constexpr int kW = 320;
constexpr int kH = 180;
constexpr int kPixels = kW * kH;

class Lane {
public:
    explicit Lane(int id);
    ~Lane();
    Lane(const Lane&) = delete;
    Lane& operator=(const Lane&) = delete;

    void enqueue();
    void finish();
    long mismatches() const;

private:
    int id_;
    cudaStream_t stream_ = nullptr;
    unsigned short* d_src_ = nullptr;
    unsigned short* d_dst_ = nullptr;
    HostPlane<unsigned short> src_;
    Plane<unsigned short> dst_;
};

}  // namespace vid
