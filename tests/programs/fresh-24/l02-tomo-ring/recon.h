#pragma once
#include "gpu.h"
#include <array>
#include <cstdint>
#include <functional>
#include <vector>

namespace tomo {

using Pixel = std::uint32_t;

struct Geometry {
    int views = 14;
    int pixels = 1 << 15;
    int voxel_us = 20000;  // cost of the back-projection of one view
};

// Renders view `v` of the detector into `dst`.
using Source = std::function<void(int v, Pixel* dst)>;

// Views go through a ring of page-locked frames and a smaller ring of device frames.
class Reconstructor {
public:
    static constexpr int kFrames = 3;
    static constexpr int kDevice = 2;

    explicit Reconstructor(const Geometry& g);
    void run(const Source& source);
    std::vector<Pixel> volume() const;

private:
    Pixel* frame(int i) const { return frames_.get() + static_cast<std::size_t>(i % kFrames) * geo_.pixels; }
    Pixel* onDevice(int i) const { return device_.get() + static_cast<std::size_t>(i % kDevice) * geo_.pixels; }
    void submit(int v);

    Geometry geo_;
    Pinned<Pixel> frames_;
    DeviceArray<Pixel> device_;
    DeviceArray<Pixel> volume_;
    Stream upload_, compute_;
    std::array<Event, kFrames> sent_;
    std::array<Event, kDevice> used_;
};

}  // namespace tomo
