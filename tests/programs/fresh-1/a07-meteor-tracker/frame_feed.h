#pragma once
#include <functional>
#include <vector>

#include "gpu.h"

namespace tracker {

using Pixel = unsigned short;
using Camera = std::function<void(int frame, Pixel* dst, std::size_t pixels)>;

// Moves camera frames to the single frame store on the device. Two pinned slots
// let the camera write one frame while the other one travels.
class FrameFeed {
public:
    FrameFeed(std::size_t pixels, Camera camera) : camera_(std::move(camera)), store_(pixels) {
        for (int i = 0; i < 2; ++i) slots_.emplace_back(pixels);
        vacant_.resize(2);
    }

    const Pixel* fetch(int frame, cudaStream_t consumer);

    void release(cudaStream_t consumer) { taken_.record(consumer); }
    std::size_t pixels() const { return store_.size(); }

private:
    Camera camera_;
    gpu::Stream upload_;
    gpu::DeviceArray<Pixel> store_;
    std::vector<gpu::PinnedArray<Pixel>> slots_;
    std::vector<gpu::Event> vacant_;
    gpu::Event arrived_;
    gpu::Event taken_;
};

inline const Pixel* FrameFeed::fetch(int frame, cudaStream_t consumer) {
    auto& slot = slots_[frame % 2];
    auto& vacant = vacant_[frame % 2];

    vacant.hostWait();
    camera_(frame, slot.data(), slot.size());

    upload_.follow(taken_);
    gpu::must(cudaMemcpyAsync(store_.data(), slot.data(), slot.bytes(), cudaMemcpyHostToDevice, upload_));
    vacant.record(upload_);
    arrived_.record(upload_);
    gpu::must(cudaStreamWaitEvent(consumer, arrived_, 0));
    return store_.data();
}

}  // namespace tracker
